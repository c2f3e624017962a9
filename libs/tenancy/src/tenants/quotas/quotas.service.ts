import { Inject, Injectable } from '@nestjs/common';
import { databaseNow, Kept, LOGGER, RecentReadings, RefusedInput, SETTINGS, withoutContext, type Logger, type Settings } from '#kernel';
import { currentTenant } from '../../database/context/tenant-context.js';
import { problem } from '../../database/context/tenancy.problems.js';
import { TenantDb } from '../../database/transactions/tenant-db.js';
import type { Tx } from '../../database/transactions/tx.js';
import { limits } from '../../limits.js';
import { texts } from '../../locales/tenancy.texts.js';
import { TenantHistoryService } from '../tenants/tenant-history.service.js';
import { newDays, quotaKinds, quotaOf, reservedAtOnce, toldAt, unitsOf, type GivenQuotas, type QuotaKind } from './quota-rules.js';

/** A quota of a tenant and its use today. */
export interface QuotaState {
  readonly kind: QuotaKind;
  /** Of today (UTC), in units of the quota, rounded up. */
  readonly used: number;
  /** undefined: no limit. */
  readonly limit: number | undefined;
  /** An operator gave the tenant this quota. */
  readonly isOwn: boolean;
}

/** Tells operators that a tenant has used a part of a quota. */
export type QuotaListener = (tenantId: string) => Promise<void>;

interface Limits extends GivenQuotas {
  readonly category: string;
  readonly isNew: boolean;
}

const most = 100_000_000;

/** Daily quotas of tenants. Days are those of UTC. Root and agendas of networks, which only operators create, have none. */
@Injectable()
export class QuotasService {
  /** Units that this process has reserved and not used, by tenant, day and kind. Without it, each mail and booking costs a statement. */
  private readonly reserved = new Kept<number>(limits.reservedUnits.kept);
  private readonly quotas = new RecentReadings<Limits | undefined>(limits.quotas.kept);
  /** The part of each quota of which operators were told, as this process knows it. */
  private readonly told = new Kept<number>(limits.toldQuotas.kept);
  private readonly listeners: QuotaListener[] = [];

  constructor(
    private readonly db: TenantDb,
    private readonly history: TenantHistoryService,
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Registers who is told, once for each part of each quota and day. */
  onReached(listener: QuotaListener): void {
    this.listeners.push(listener);
  }

  /**
   * Uses a part of the current tenant's quota. One conditional statement decides, so that all processes together stay within it.
   * @param units mails, bytes, bookings
   * @returns false when the quota of today does not allow it
   */
  async take(kind: QuotaKind, units = 1): Promise<boolean> {
    // A server without this quota asks nothing.
    if (this.settings.quotas[kind] === 0) return true;
    const { id } = currentTenant();
    const limit = await this.limitOf(id, kind);
    if (limit === undefined) return true;
    const day = today();
    const key = `${id} ${day} ${kind}`;
    const ready = this.reserved.get(key) ?? 0;
    if (ready >= units) {
      this.reserved.set(key, ready - units);
      return true;
    }
    const allowed = limit * unitsOf[kind];
    const wanted = Math.max(units - ready, reservedAtOnce[kind]);
    for (const part of new Set([wanted, units - ready])) {
      const used = part <= allowed ? await this.reserve([id, day, kind, part, allowed]) : undefined;
      if (used === undefined) continue;
      // Read again: others used and reserved meanwhile.
      this.reserved.set(key, (this.reserved.get(key) ?? 0) + part - units);
      await this.tell(key, [id, day, kind], (used * 100) / allowed);
      return true;
    }
    await this.tell(key, [id, day, kind], 100);
    return false;
  }

  /** Like `take`, in the caller's transaction: a rollback gives the units back. */
  async takeIn(tx: Tx, kind: QuotaKind, units = 1): Promise<boolean> {
    if (this.settings.quotas[kind] === 0) return true;
    const { id } = currentTenant();
    const [quotas] = await tx.query<Limits[]>(limitsStatement.text, [id]);
    const limit = quotas && this.quotaOf(kind, quotas);
    if (limit === undefined) return true;
    const day = today();
    const allowed = limit * unitsOf[kind];
    const [row] = units <= allowed ? await tx.query<{ used: string }[]>(reserveStatement.text, [id, day, kind, units, allowed]) : [];
    if (!row) return false;
    this.db.afterCommit(tx, () => this.tell(`${id} ${day} ${kind}`, [id, day, kind], (Number(row.used) * 100) / allowed));
    return true;
  }

  /** Like `take`. @throws Problem 429 `tenant.quota` */
  async demand(kind: QuotaKind, units = 1): Promise<void> {
    if (!(await this.take(kind, units))) throw problem('tenant.quota', { headers: { 'Retry-After': String(secondsToTomorrow()) } });
  }

  /** The quotas of a tenant with their use today. */
  async of(tenantId: string): Promise<QuotaState[]> {
    const quotas = await this.read(tenantId);
    const rows = await this.db.onNodeOf(tenantId, () =>
      this.db.shared((tx) =>
        tx.query<{ kind: QuotaKind; used: string }[]>('select kind, used from shared.tenant_usage where tenant_id = $1 and day = $2', [
          tenantId,
          today(),
        ]),
      ),
    );
    return quotaKinds.map((kind) => ({
      kind,
      used: Math.ceil(Number(rows.find((row) => row.kind === kind)?.used ?? 0) / unitsOf[kind]),
      limit: quotas && this.quotaOf(kind, quotas),
      isOwn: quotas?.[kind] !== null && quotas !== undefined,
    }));
  }

  /**
   * Gives a tenant quotas of its own. @param change null: that of the server; absent: stays
   * @throws RefusedInput on a quota that is no whole number
   */
  async change(tenant: { readonly id: string; readonly slug: string }, change: Partial<GivenQuotas>): Promise<void> {
    const kinds = quotaKinds.filter((kind) => change[kind] !== undefined);
    for (const kind of kinds) {
      const value = change[kind] ?? 0;
      if (!Number.isInteger(value) || value < 0 || value > most) throw new RefusedInput(kind, texts.localized('quotas.number'));
    }
    if (kinds.length === 0) return;
    const give = async (tx: Tx): Promise<void> => {
      await tx.query('insert into shared.tenant_quota (tenant_id) values ($1) on conflict (tenant_id) do nothing', [tenant.id]);
      for (const kind of kinds)
        await tx.query(`update shared.tenant_quota set ${kind} = $2 where tenant_id = $1`, [tenant.id, change[kind]]);
      const details = Object.fromEntries(kinds.map((kind) => [kind, { to: change[kind] ?? 'default' }]));
      await this.history.record(tx, { tenantId: tenant.id, slug: tenant.slug, action: 'quota_changed', details });
    };
    await this.db.onNodeOf(tenant.id, () => this.db.shared(give));
    this.quotas.forget(tenant.id);
  }

  /** Deletes the record of days long past. */
  async prune(): Promise<void> {
    await this.db.sharedStatement(pruneStatement, []);
  }

  private quotaOf(kind: QuotaKind, { category, isNew, ...given }: Limits): number | undefined {
    return category === 'R' || category === 'M' ? undefined : quotaOf(kind, { given: given[kind], isNew }, this.settings);
  }

  private async limitOf(tenantId: string, kind: QuotaKind): Promise<number | undefined> {
    const quotas = await this.quotas.read(tenantId, () => this.read(tenantId));
    return quotas && this.quotaOf(kind, quotas);
  }

  private async read(tenantId: string): Promise<Limits | undefined> {
    const [row] = await this.db.sharedStatement<Limits>(limitsStatement, [tenantId]);
    return row;
  }

  private async reserve(values: readonly unknown[]): Promise<number | undefined> {
    const [row] = await this.db.sharedStatement<{ used: string }>(reserveStatement, values);
    return row && Number(row.used);
  }

  private async tell(key: string, values: readonly [string, string, QuotaKind], percent: number): Promise<void> {
    const level = toldAt.find((part) => percent >= part);
    if (level === undefined || (this.told.get(key) ?? 0) >= level) return;
    this.told.set(key, level);
    const first = await this.db.sharedStatement(toldStatement, [...values, level]);
    if (first.length === 0) return;
    const [tenantId, , kind] = values;
    this.logger.warn({ tenant: currentTenant().slug, quota: kind, percent: level }, 'a tenant has used this part of a daily quota');
    // Outside of the request: the first transaction of a booking checks its key, in its own tenant.
    withoutContext(() => Promise.all(this.listeners.map((listener) => listener(tenantId)))).catch((error: unknown) =>
      this.logger.warn({ err: error }, 'operators were not told of a quota'),
    );
  }
}

const today = (): string => databaseNow().toISOString().slice(0, 10);

/** Seconds until quotas begin anew. */
export function secondsToTomorrow(): number {
  return 86_400 - (Math.floor(databaseNow().getTime() / 1000) % 86_400);
}

const limitsStatement = {
  name: 'quota-limits',
  text: `select t.category, t.created_at > now() - interval '${newDays} days' as "isNew", q.mails, q.megabytes, q.bookings
    from shared.tenant t left join shared.tenant_quota q on q.tenant_id = t.id where t.id = $1`,
};

const reserveStatement = {
  name: 'quota-reserve',
  text: `insert into shared.tenant_usage (tenant_id, day, kind, used) values ($1, $2, $3, $4)
    on conflict (tenant_id, day, kind) do update set used = tenant_usage.used + excluded.used
      where tenant_usage.used + excluded.used <= $5 returning used`,
};

const toldStatement = {
  name: 'quota-told',
  text: `insert into shared.tenant_usage (tenant_id, day, kind, used, told) values ($1, $2, $3, 0, $4)
    on conflict (tenant_id, day, kind) do update set told = excluded.told where tenant_usage.told < excluded.told returning told`,
};

const pruneStatement = {
  name: 'quota-prune',
  text: `delete from shared.tenant_usage where day < (select current_date - 60)`,
};
