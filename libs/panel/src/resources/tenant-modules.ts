import { categories, currentTenant } from '#tenancy';
import type { TenantModule } from '#tenancy';
import type { PanelEntry } from '../panel-entry.js';

/** Whether the current tenant's category has this module. */
export const hasModule = (module: TenantModule): boolean =>
  categories[currentTenant().category].modules.includes(module);

/** The entry, for tenants whose category has the module; for others it is not there. */
export const ofModule = (module: TenantModule, entry: PanelEntry): PanelEntry => ({
  ...entry,
  allows: (action, user) => hasModule(module) && (entry.allows?.(action, user) ?? true),
});
