import { tenantSlot, type Language, type ScopeSlot, type Settings } from '#kernel';
import type { TenantState } from './tenant-states.js';
import type { CategoryCode } from './tenant-categories.js';

/** What a request, job or command knows of the tenant it works for. */
export interface TenantIdentity {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly category: CategoryCode;
  readonly schemaName: string;
  /**
   * Whether this program's entities fit its tables: `behind` waits for migrations, `newer` was migrated by a newer program in a way that
   * this one does not know.
   */
  readonly schemaState: 'current' | 'behind' | 'newer';
  /** As it was at most a second ago. */
  readonly state: TenantState;
  readonly stateReason: string | null;
  /** How to reach it (its public e-mail address, telephone or website), while it is not active. */
  readonly contact: string | null;
  readonly language: Language;
  readonly timeZone: string;
  /** Its primary host name. */
  readonly host: string;
}

/** Somebody reached for a tenant's data without saying which tenant. Always a programming error. */
export class NoTenantError extends Error {
  constructor() {
    super('No tenant in context: enter one with runInTenant(tenant, work).');
  }
}

const slot = tenantSlot as ScopeSlot<TenantIdentity>;

/** The one way to enter a tenant: everything that `work` does, and awaits, works on this tenant's data. */
export function runInTenant<Result>(tenant: TenantIdentity, work: () => Result): Result {
  return slot.run(tenant, work);
}

/** @throws NoTenantError outside of `runInTenant` */
export function currentTenant(): TenantIdentity {
  const tenant = slot.get();
  if (!tenant) throw new NoTenantError();
  return tenant;
}

/** The full address of a path on a tenant's primary host, as people and programs outside reach it. */
export function tenantUrl(
  settings: Pick<Settings, 'publicScheme' | 'publicPortSuffix'>,
  tenant: Pick<TenantIdentity, 'host'>,
  path: string,
): string {
  return `${settings.publicScheme}://${tenant.host}${settings.publicPortSuffix}${path}`;
}
