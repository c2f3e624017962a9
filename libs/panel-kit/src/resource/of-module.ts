import { hasModule, type TenantModule } from '#tenancy';
import type { PanelEntry } from './panel-entry.js';

/** The entry, for tenants whose category has one of the modules; for others it is not there. */
export const ofModule = (modules: TenantModule | readonly TenantModule[], entry: PanelEntry): PanelEntry => ({
  ...entry,
  allows: (action, user) => hasModule(...[modules].flat()) && (entry.allows?.(action, user) ?? true),
});
