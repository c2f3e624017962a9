import { setTimeout as pass } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { isUuid, LOGGER, RefusedInput, sqlStateOf, type Logger } from '#kernel';
import type pg from 'pg';
import { homeNode, Nodes } from '../../database/connections/nodes.js';
import { onOwnConnection } from '../../database/connections/own-connection.js';
import { currentNode, onNode } from '../../database/context/tenant-context.js';
import { firstMetaSql } from '../../database/context/first-meta.js';
import { TenantDb } from '../../database/transactions/tenant-db.js';
import type { Tx } from '../../database/transactions/tx.js';
import { holdLock, lockAlone } from '../../database/transactions/tenant-lock.js';
import { limits } from '../../limits.js';
import { texts } from '../../locales/tenancy.texts.js';
import { latestTenant } from '../../migrations/index.js';
import { newestOf, TenantHistoryService } from '../tenants/tenant-history.service.js';
import { TenantsService } from '../tenants/tenants.service.js';
import { movedTables, ofTenantSql } from './moved-rows.js';
import { closedSchema, moveLockSpace, type MovedTenant } from './moved-tenant.js';
import { beginReading, closeTenant, parkQueues, reopenTenant } from './move-source.js';
import { MoveTarget } from './move-target.js';

/** Attempts to close a tenant whose transactions do not end in time. */
const closingAttempts = 5;

/** A step of a move, in the order in which they are taken. */
export type MoveStep = 'prepare' | 'close' | 'tables' | 'shared' | 'switch' | 'remove';

interface MoveReport {
  readonly slug: string;
  readonly from: number;
  readonly to: number;
  /** Copied rows of the tenant's tables. */
  readonly rows: number;
  /** How long the tenant answered 503, in milliseconds, as far as this run has seen it. */
  readonly closedMs: number;
}

/** A move that somebody wants, or that was begun. */
interface WantedMove {
  readonly id: string;
  readonly slug: string;
  readonly from: number;
  readonly to: number;
  readonly isClosed: boolean;
}

/** A move that ended. */
interface RecentMove {
  readonly slug: string;
  readonly at: Date;
  readonly from: string;
  readonly to: string;
  /** Why it failed; null: it did not. */
  readonly reason: string | null;
}

const tenantStatement = {
  name: 'tenant-to-move',
  text: `select t.id, t.slug, t.schema_name as "schemaName", t.schema_version as "schemaVersion", t.node, t.moving_to as "movingTo",
      t.moving_since is not null as "isClosed", t.category = 'R' or t.id = (${firstMetaSql}) as "isOfInstallation"
    from shared.tenant t where t.id = $1`,
};
const wantedStatement = {
  name: 'wanted-moves',
  text: `select id, slug, node as "from", moving_to as "to", moving_since is not null as "isClosed"
    from shared.tenant where moving_to is not null order by slug`,
};

const recentStatement = {
  name: 'recent-moves',
  text: `select id, slug, at, reason, details->'node'->>'from' as "from", details->'node'->>'to' as "to" from shared.tenant_change
    where action in ('moved', 'move_failed') and at > now() - interval '7 days' order by at desc limit $1`,
};
const mostRecent = 10;

const refusal = {
  unknown: () => new RefusedInput('tenant', texts.localized('lifeRefusals.unknownTenant')),
  one: () => new RefusedInput('node', texts.localized('moveRefusals.one')),
  node: (node: number) => new RefusedInput('node', texts.localized('moveRefusals.node', { node: String(node) })),
  installation: () => new RefusedInput('tenant', texts.localized('moveRefusals.installation')),
  behind: () => new RefusedInput('tenant', texts.localized('moveRefusals.behind')),
  running: () => new RefusedInput('tenant', texts.localized('moveRefusals.running')),
  busy: () => new RefusedInput('tenant', texts.localized('lifeRefusals.busy')),
};

/**
 * Moves tenants between the database servers.
 * 1. `prepare`: the tables are made on the new server, in a transaction that stays open.
 * 2. `close`: the tenant's transactions end, and it answers 503 from then on.
 * 3. `tables`, `shared`: its rows are copied and compared.
 * 4. `switch`: the transaction on the new server is committed, with `shared.tenant.node`. The tenant is open there.
 * 5. `remove`: the old copy is removed.
 * A move that was killed leaves the tenant open (before 2 and after 4) or closed, with all its data on the old server. The same command
 * goes on; with the old server as destination it opens the tenant there again.
 */
@Injectable()
export class TenantMovesService {
  constructor(
    private readonly db: TenantDb,
    private readonly nodes: Nodes,
    private readonly tenants: TenantsService,
    private readonly history: TenantHistoryService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Moves that were asked for, or begun and not ended. */
  wanted(): Promise<WantedMove[]> {
    return onNode(homeNode, () => this.db.sharedStatement<WantedMove & Record<string, unknown>>(wantedStatement, []));
  }

  /** The wanted move of a tenant. */
  async wantedOf(id: string): Promise<WantedMove | undefined> {
    return (await this.wanted()).find((move) => move.id === id);
  }

  /** Refuses a move that `move` would refuse. @throws RefusedInput on tenant or node */
  async check(id: string, to: number): Promise<void> {
    this.refuseUnable(await this.read(id), to);
  }

  /** Records that a tenant is to move, see `check`. */
  async want(tx: Tx, id: string, to: number): Promise<void> {
    await tx.query('update shared.tenant set moving_to = $2 where id = $1', [id, to]);
  }

  /** Forgets a wanted move that failed, unless the tenant is closed for it, and records why. */
  async giveUp({ id, slug, from, to }: WantedMove, error: unknown): Promise<void> {
    const reason = error instanceof Error ? error.message.slice(0, 500) : null;
    await onNode(homeNode, () =>
      this.db.shared(async (tx) => {
        await tx.query('update shared.tenant set moving_to = null where id = $1 and moving_since is null', [id]);
        await this.history.record(tx, { tenantId: id, slug, action: 'move_failed', reason, details: { node: { from, to } } });
      }),
    );
  }

  /** The newest moves of the last week, and those that failed. */
  async recent(): Promise<RecentMove[]> {
    const read = () => this.db.sharedStatement<RecentMove & { id: string } & Record<string, unknown>>(recentStatement, [mostRecent]);
    return newestOf(await this.db.onEachNode(read), mostRecent);
  }

  /**
   * Moves a tenant, or goes on with a move that was killed. When the copy fails, or a closed tenant cannot move there, the tenant is
   * opened where it was.
   * @param report is called before each step
   * @throws RefusedInput on tenant or node
   */
  async move(id: string, to: number, report: (step: MoveStep) => Promise<void> | void = () => undefined): Promise<MoveReport> {
    const found = await this.read(id);
    if (!found.isClosed) this.refuseUnable(found, to);
    const { slug, node: from } = found;
    const moved = await this.onServer(from, async (lock) => {
      if (!(await holdLock(lock, moveLockSpace, id, limits.moves.ms))) throw refusal.running();
      const tenant = await this.read(id);
      if (tenant.node !== from) throw refusal.running();
      try {
        this.refuseUnable(tenant, to);
      } catch (error) {
        // As after an upgrade: nothing else would open it.
        if (tenant.isClosed) await this.reopen(tenant);
        throw error;
      }
      if (tenant.node === to) {
        await this.reopen(tenant);
        return { rows: 0, closedMs: 0 };
      }
      try {
        await this.removeCopiesOf(tenant);
        return await this.carry(tenant, to, report);
      } catch (error) {
        await this.reopen(tenant);
        throw sqlStateOf(error) === '55P03' ? refusal.busy() : error;
      }
    });
    this.tenants.forget();
    if (from !== to) {
      await report('remove');
      // Requests of other processes look for keys on the old server until they know.
      await pass(2 * limits.hosts.kept.ttlMs);
    }
    await this.removeOldCopiesOf(id).catch((error: unknown) => this.warn(slug, 'old copy not removed', error));
    return { slug, from, to, ...moved };
  }

  /** Removes copies of a tenant that moves have left on other servers. */
  async removeOldCopies(slug: string): Promise<void> {
    const known = await onNode(homeNode, () => this.tenants.bySlug(slug));
    if (known) await this.removeOldCopiesOf(known.id);
  }

  /** The same by its id; nothing when it is deleted. */
  async removeOldCopiesOf(id: string): Promise<void> {
    const tenant = await this.find(id);
    if (tenant) await this.removeCopiesOf(tenant);
  }

  private async removeCopiesOf(tenant: MovedTenant): Promise<void> {
    for (const node of this.nodes.ids) if (node !== tenant.node) await onNode(node, () => this.removeOldCopy(tenant));
  }

  private async carry(tenant: MovedTenant, to: number, report: (step: MoveStep) => Promise<void> | void) {
    return this.onServer(tenant.node, (source) =>
      this.onServer(to, async (client) => {
        const target = new MoveTarget(client, source, tenant);
        await report('prepare');
        await target.prepare();
        await report('close');
        if (!tenant.isClosed) await this.close(tenant, to);
        const closedAt = performance.now();
        this.tenants.forget();
        await report('tables');
        const tables = await beginReading(source, tenant);
        await onNode(tenant.node, () => this.db.shared((tx) => parkQueues(tx, tenant)));
        const rows = await target.copyTables(tables);
        // By then the other processes know that it is closed, and write no sessions any more.
        await pass(Math.max(0, closedAt + 1.2 * limits.hosts.kept.ttlMs - performance.now()));
        await report('shared');
        await target.copyShared();
        await report('switch');
        await target.switch(to);
        const closedMs = Math.round(performance.now() - closedAt);
        await target.analyze(tables).catch((error: unknown) => this.warn(tenant.slug, 'tenant without statistics', error));
        return { rows, closedMs };
      }),
    );
  }

  private async close(tenant: MovedTenant, to: number): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const closed = await onNode(tenant.node, () => this.db.shared((tx) => closeTenant(tx, tenant, to)));
        if (!closed) throw refusal.running();
        return;
      } catch (error) {
        if (sqlStateOf(error) !== '55P03' || attempt === closingAttempts) throw error;
        await pass(1000);
      }
    }
  }

  /** Opens the tenant where it is, and forgets that it was to move. */
  private async reopen(tenant: MovedTenant): Promise<void> {
    await onNode(tenant.node, () =>
      this.db.shared(async (tx) => {
        await reopenTenant(tx, tenant);
        await tx.query('update shared.tenant set moving_to = null where id = $1 and moving_since is null', [tenant.id]);
      }),
    );
    this.tenants.forget();
  }

  private removeOldCopy(tenant: MovedTenant): Promise<void> {
    const { id, slug } = tenant;
    const schema = closedSchema(tenant);
    return this.db.shared(async (tx) => {
      const [left] = await tx.query<unknown[]>('select 1 from pg_namespace where nspname = $1', [schema]);
      if (!left) return;
      await lockAlone(tx, id);
      const [now] = await tx.query<{ node: number }[]>('select node from shared.tenant where id = $1', [id]);
      if (!now || now.node === currentNode()) return;
      await tx.query(`drop schema if exists "${schema}" cascade`);
      for (const table of movedTables.toReversed()) await tx.query(`delete from shared.${table} where ${ofTenantSql(table, id)}`);
      await this.history.record(tx, { tenantId: id, slug, action: 'moved', details: { node: { from: currentNode(), to: now.node } } });
    });
  }

  /** @throws RefusedInput when it cannot move there */
  private refuseUnable(tenant: MovedTenant, to: number): void {
    if (tenant.isOfInstallation) throw refusal.installation();
    if (!this.nodes.areSeveral) throw refusal.one();
    if (!this.nodes.ids.includes(to)) throw refusal.node(to);
    if (tenant.schemaVersion !== latestTenant && tenant.node !== to) throw refusal.behind();
  }

  /** @throws RefusedInput when there is no such tenant */
  private async read(id: string): Promise<MovedTenant> {
    const tenant = await this.find(id);
    if (!tenant) throw refusal.unknown();
    return tenant;
  }

  private async find(id: string): Promise<MovedTenant | undefined> {
    if (!isUuid(id)) return undefined;
    const [tenant] = await onNode(homeNode, () => this.db.sharedStatement<MovedTenant & Record<string, unknown>>(tenantStatement, [id]));
    return tenant;
  }

  private warn(tenant: string, what: string, error: unknown): void {
    this.logger.warn({ err: error, tenant }, what);
  }

  private async onServer<Result>(node: number, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
    const { dataSource } = await this.nodes.use(node);
    return onOwnConnection(dataSource, 'guichet-move', work);
  }
}
