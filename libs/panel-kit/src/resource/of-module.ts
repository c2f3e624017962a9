import { hasModule, type TenantModule } from '#tenancy';
import type { PanelEntry } from './panel-entry.js';

/** Makes an entry available only to tenants whose category has one of the modules. */
export const ofModule = (modules: TenantModule | readonly TenantModule[], entry: PanelEntry): PanelEntry => ({
  ...entry,
  allows: (action, user) => hasModule(...[modules].flat()) && (entry.allows?.(action, user) ?? true),
});
