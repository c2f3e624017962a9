import { Inject, Injectable } from '@nestjs/common';
import { isVisible, RefusedInput, refuseUnfitTexts, SETTINGS, sqlStateOf, type Settings } from '#kernel';
import { firstMetaSql } from '../../database/context/first-meta.js';
import { latestTenant } from '../../migrations/index.js';
import { categories, isCategory, type CategoryCode } from '../../database/context/tenant-categories.js';
import { TenantDb } from '../../database/transactions/tenant-db.js';
import type { Tx } from '../../database/transactions/tx.js';
import { checkedIdentity } from '../tenants/tenant-rules.js';
import { Tenant } from '../tenants/tenant.entity.js';
import type { IdentityChange } from '../tenants/new-tenant.js';
import { TenantsService } from '../tenants/tenants.service.js';
import { CategoryRefused, lifeRefusals } from '../tenants/life-refusals.js';
import { TenantHistoryService } from '../tenants/tenant-history.service.js';
import { TenantHoldings } from '../tenants/tenant-holdings.js';
import { lockAlone } from '../../database/transactions/tenant-lock.js';
import { lockTenants, type TenantRow } from '../tenants/tenant-rows.js';
import type { TenantState } from '../../database/context/tenant-states.js';

/** Changes that an operator makes to a tenant. Absent members do not change. */
export interface TenantEdit extends IdentityChange {
  readonly category?: string | undefined;
}

/** Acts that change the state of a tenant: the allowed states before, and the state after. */
const acts = {
  suspend: { from: ['active', 'suspended'], to: 'suspended', action: 'suspended' },
  resume: { from: ['suspended'], to: 'active', action: 'resumed' },
  archive: { from: ['active', 'suspended'], to: 'archived', action: 'archived' },
  restore: { from: ['archived', 'deleting'], to: 'active', action: 'restored' },
  delete: { from: ['active', 'suspended', 'archived'], to: 'deleting', action: 'deletion_begun' },
} as const satisfies Record<string, { from: readonly TenantState[]; to: TenantState; action: string }>;

export type LifeAct = keyof typeof acts;

/** Whether the act is allowed in this state. */
export function mayAct(act: LifeAct, state: TenantState): boolean {
  return (acts[act].from as readonly TenantState[]).includes(state);
}

/**
 * Acts of operators on a tenant. An act waits for running transactions of the tenant; later transactions see its result. Requests get the
 * new answers within a second. Every act is recorded.
 */
@Injectable()
export class TenantLifeService {
  constructor(
    private readonly db: TenantDb,
    private readonly tenants: TenantsService,
    private readonly history: TenantHistoryService,
    private readonly holdings: TenantHoldings,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'tenantDeleteDays'>,
  ) {}

  /**
   * Changes name, language, time zone and category. The category changes only when the tenant's data allows it.
   * @throws RefusedInput on tenant, name, language, timeZone or category; CategoryRefused lists the data that prevents a change of category
   */
  async edit(id: string, edit: TenantEdit): Promise<void> {
    const { category, ...identity } = edit;
    const checked = checkedIdentity(identity);
    await this.change(id, async (tx, tenant) => {
      const before = await this.tenants.identityIn(tx, id);
      await this.tenants.changeIn(tx, id, checked);
      const after = { ...before, ...Object.fromEntries(Object.entries(checked).filter(([, value]) => value !== undefined)) };
      if (category !== undefined && category !== tenant.category) await this.changeCategory(tx, tenant, category);
      const changes = [
        ...(['name', 'language', 'timeZone'] as const).map((field) => [field, before[field], after[field]] as const),
        ['category', tenant.category, category ?? tenant.category] as const,
      ].filter(([, from, to]) => from !== to);
      if (changes.length === 0) return;
      const details = Object.fromEntries(changes.map(([field, from, to]) => [field, { from, to }]));
      await this.history.record(tx, { tenantId: id, slug: tenant.slug, action: 'edited', details });
    });
  }

  /** Returns when the tenant entered its state and when it will be deleted. @throws RefusedInput on tenant */
  async facts(id: string): Promise<Pick<Tenant, 'stateSince' | 'deleteAfter'>> {
    const tenant = await this.db.shared((tx) => tx.findOneBy(Tenant, { id }));
    if (!tenant) throw lifeRefusals.noTenant();
    return tenant;
  }

  /** @param reason is shown on the tenant's pages and returned by its API @throws RefusedInput on tenant, state or reason */
  suspend(id: string, reason: string): Promise<void> {
    if (!isVisible(reason)) throw lifeRefusals.noReason();
    return this.act('suspend', id, reason);
  }

  /** @throws RefusedInput on tenant or state */
  resume(id: string, reason = ''): Promise<void> {
    return this.act('resume', id, reason);
  }

  /** @throws RefusedInput on tenant or state */
  archive(id: string, reason = ''): Promise<void> {
    return this.act('archive', id, reason);
  }

  /** Restores a tenant that is archived or being deleted, with all its data. @throws RefusedInput on tenant or state */
  restore(id: string, reason = ''): Promise<void> {
    return this.act('restore', id, reason);
  }

  /**
   * Closes a tenant at once. `TenantRemovalService` deletes it after TENANT_DELETE_DAYS.
   * @param confirmation the slug of the tenant
   * @throws RefusedInput on tenant, state or confirmation
   */
  delete(id: string, confirmation: string, reason = ''): Promise<void> {
    return this.act('delete', id, reason, confirmation);
  }

  private async act(act: LifeAct, id: string, reason: string, confirmation?: string): Promise<void> {
    refuseUnfitTexts({ reason }, { reason: 500 });
    const words = reason.trim() || null;
    const { to, action } = acts[act];
    const days = to === 'deleting' ? this.settings.tenantDeleteDays : null;
    await this.change(id, async (tx, tenant) => {
      if (confirmation !== undefined && confirmation.trim().toLowerCase() !== tenant.slug) throw lifeRefusals.wrongSlug(tenant.slug);
      await refuseInstallation(tx, tenant);
      if (!mayAct(act, tenant.state)) throw lifeRefusals.state(tenant.state);
      await tx.query(
        `update shared.tenant set state = $2, state_reason = $3, state_since = (select now()),
           delete_after = (select now() + make_interval(days => $4)) where id = $1`,
        [id, to, to === 'active' ? null : words, days],
      );
      const details = { state: { from: tenant.state, to } };
      await this.history.record(tx, { tenantId: id, slug: tenant.slug, action, reason: words, details });
    });
  }

  private async changeCategory(tx: Tx, tenant: TenantRow, category: string): Promise<void> {
    if (category === 'R') throw lifeRefusals.onlyRoot();
    if (!isCategory(category)) throw lifeRefusals.unknownCategory();
    await refuseInstallation(tx, tenant);
    await this.refuseHoldings(tx, tenant, category);
    await tx.update(Tenant, { id: tenant.id }, { category });
  }

  private async refuseHoldings(tx: Tx, tenant: TenantRow, category: CategoryCode): Promise<void> {
    if (categories[tenant.category].modules.every((module) => categories[category].modules.includes(module))) return;
    const row = await tx.findOneBy(Tenant, { id: tenant.id });
    if (!row || row.schemaVersion < latestTenant || row.movingSince) throw lifeRefusals.migrating();
    await tx.query(`set local search_path to "${row.schemaName}"`);
    const obstacles = await this.holdings.countObstacles(tx, tenant.category, category);
    await tx.query('set local search_path to shared');
    if (obstacles.length > 0) throw new CategoryRefused(obstacles, tenant.category, category);
  }

  /** Changes a tenant while no other transaction of the tenant runs. */
  private async change(id: string, work: (tx: Tx, tenant: TenantRow) => Promise<void>): Promise<void> {
    try {
      const locked = async (tx: Tx): Promise<void> => {
        await lockAlone(tx, id);
        const tenant = (await lockTenants(tx, [id])).get(id);
        if (!tenant) throw lifeRefusals.noTenant();
        await work(tx, tenant);
      };
      await this.db.onNodeOf(id, () => this.db.shared(locked));
    } catch (error) {
      throw !(error instanceof RefusedInput) && sqlStateOf(error) === '55P03' ? lifeRefusals.busy() : error;
    }
    this.tenants.forget();
  }
}

/** Refuses acts on Root and the first Meta, because a server cannot work without them. */
async function refuseInstallation(tx: Tx, { id, category }: TenantRow): Promise<void> {
  if (category === 'R') throw lifeRefusals.installation();
  if (category !== 'M') return;
  // The first Meta is never in the state `deleting`, because this function refuses it.
  const [first] = await tx.query<{ id: string }[]>(firstMetaSql);
  if (first?.id === id) throw lifeRefusals.installation();
}
