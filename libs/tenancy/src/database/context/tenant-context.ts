import { ScopeSlot, tenantSlot, type Language, type Settings } from '#kernel';
import type { TenantState } from './tenant-states.js';
import type { CategoryCode } from './tenant-categories.js';

/** The tenant of a request, job or command. */
export interface TenantIdentity {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly category: CategoryCode;
  readonly schemaName: string;
  /** The database server that has its schema; 0: the one that `DATABASE_URL` leads to. */
  readonly node: number;
  /**
   * Whether the tenant's tables match this program: `behind` needs migrations, `newer` was migrated by a newer program in an incompatible
   * way, `moving` is on its way to another server.
   */
  readonly schemaState: 'current' | 'behind' | 'newer' | 'moving';
  /** At most a second old. */
  readonly state: TenantState;
  readonly stateReason: string | null;
  /** Its public contact (e-mail address, telephone or website), while it is not active. */
  readonly contact: string | null;
  readonly language: Language;
  readonly timeZone: string;
  /** Its primary host name. */
  readonly host: string;
}

/** A tenant's data was accessed outside of a tenant's scope. Always a programming error. */
export class NoTenantError extends Error {
  constructor() {
    super('No tenant in context: enter one with runInTenant(tenant, work).');
  }
}

const slot = tenantSlot as ScopeSlot<TenantIdentity | undefined>;
const nodeSlot = new ScopeSlot<number>('node');

/** Runs `work` as this tenant: everything that `work` does and awaits uses this tenant's data. */
export function runInTenant<Result>(tenant: TenantIdentity, work: () => Result): Result {
  return slot.run(tenant, work);
}

/**
 * Runs `work` on this database server, for background work and for acts of operators on a tenant of that server: without a tenant, unless
 * it is the server of the current work.
 */
export function onNode<Result>(node: number, work: () => Result): Result {
  if (node === currentNode()) return work();
  return slot.run(undefined, () => nodeSlot.run(node, work));
}

/** Runs later work on the database server of the current work, see `onNode`. */
export type SameNode = <Result>(work: () => Result) => Result;

export function sameNode(): SameNode {
  const node = currentNode();
  return (work) => onNode(node, work);
}

/** The database server of the current work: that of the tenant, or of `onNode`; otherwise the one that `DATABASE_URL` leads to. */
export function currentNode(): number {
  return slot.get()?.node ?? nodeSlot.get() ?? 0;
}

/** @throws NoTenantError outside of `runInTenant` */
export function currentTenant(): TenantIdentity {
  const tenant = slot.get();
  if (!tenant) throw new NoTenantError();
  return tenant;
}

/** The public URL of a path on the tenant's primary host. */
export function tenantUrl(
  settings: Pick<Settings, 'publicScheme' | 'publicPortSuffix'>,
  tenant: Pick<TenantIdentity, 'host'>,
  path: string,
): string {
  return `${settings.publicScheme}://${tenant.host}${settings.publicPortSuffix}${path}`;
}
