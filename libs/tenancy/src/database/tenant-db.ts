import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { currentTenantId, ScopeSlot, SecretBox, SETTINGS, type Settings } from '#kernel';
import type pg from 'pg';
import { DataSource } from 'typeorm';
import { ConnectionShare } from '../connections/connection-share.js';
import { databaseLimits } from '../connections/database.js';
import { currentKeyedRequest, decodeOutcome, encodeOutcome, storeOutcome } from './keyed-request.js';
import { shareLockSql } from './tenant-lock.js';
import { refuseChangedTenant, refuseUnfitSchema } from '../context/tenancy.problems.js';
import { currentTenant, type TenantIdentity } from '../context/tenant-context.js';
import { runTransaction } from '../connections/transaction-runner.js';
import type { Tx } from './tx.js';

/** A statement for the door: `{tenant}` stands for the quoted schema, `$1 …` for parameters. */
export interface PreparedStatement {
  readonly name: string;
  readonly text: string;
}

type DatabaseSettings = Pick<Settings, 'preparedStatements' | 'databasePoolSize' | 'databaseTimeoutMs' | 'databaseWaitMs'>;

/** Sets them for a transaction: behind a pooler a connection has no limits of its own. */
function limitsOf(timeoutMs: number): string {
  return Object.entries(databaseLimits(timeoutMs))
    .map(([name, value]) => `set local ${name} to ${value}`)
    .join('; ');
}

/** The current tenant, provided that its tables fit this program's entities. Everything that reaches a tenant's data passes here. */
function usableTenant(): TenantIdentity {
  const tenant = currentTenant();
  refuseUnfitSchema(tenant);
  return tenant;
}

/** The tenant of whose share the current work has a connection. */
const shareSlot = new ScopeSlot<string>('connection share');

function outcomePurpose(): string {
  return `idempotent outcome ${currentTenant().id}`;
}

/**
 * The only door to the data. A method without `tx` begins, a method with `tx` as its first parameter joins.
 * No HTTP, no mail, no file inside a transaction.
 */
@Injectable()
export class TenantDb implements OnModuleInit {
  private readonly share: ConnectionShare;
  private limits: string;
  private readonly texts = new Map<string, { name: string; text: string }>();
  private readonly afterCommits = new WeakMap<Tx, (() => void)[]>();

  constructor(
    private readonly dataSource: DataSource,
    @Inject(SETTINGS) private readonly settings: DatabaseSettings,
    private readonly box: SecretBox,
  ) {
    this.share = new ConnectionShare(Math.max(1, Math.floor(settings.databasePoolSize / 2)), settings.databaseWaitMs);
    this.limits = limitsOf(settings.databaseTimeoutMs);
  }

  /** PostgreSQL on some systems cannot look whether a client is still there; then the limits do without. */
  async onModuleInit(): Promise<void> {
    const allowed = await this.pool.query("select set_config('client_connection_check_interval', '2s', true)").then(
      () => true,
      () => false,
    );
    if (allowed) this.limits += "; set local client_connection_check_interval to '2s'";
  }

  /**
   * Runs `work` in a transaction of the current tenant: begin and a search path that lasts until its end, in one round trip.
   * @throws NoTenantError outside of `runInTenant`
   * @throws Problem 503 `tenant.migrating` while the tenant's tables do not fit this program
   * @throws Problem 503 `tenant.changed` when its state or category is another one than the caller knows
   */
  transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    const tenant = usableTenant();
    const begin = `${this.beginOn(`"${tenant.schemaName}"`)}; ${shareLockSql(tenant.id)}`;
    return this.inShare(tenant.id, () => this.run(begin, work, (row) => refuseChangedTenant(tenant, row)));
  }

  /**
   * The transaction that does what a request asks for. In a request with an `Idempotency-Key` its result is committed together with the
   * work, and a repeat of the request whose answer was lost gets that result without doing the work again. One per request.
   * @param work returns plain data (see `encodeOutcome`); what it throws leaves nothing behind
   * @throws Problem 409 `idempotency.in_progress` when the key was taken over meanwhile
   */
  async transactionOnce<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    const keyed = currentKeyedRequest();
    if (!keyed) return this.transaction(work);
    const committed = this.committedOutcome();
    if (committed) return committed.outcome as Result;
    const purpose = outcomePurpose();
    return this.transaction(async (tx) => {
      const result = await work(tx);
      await storeOutcome(tx, keyed, this.box.seal(encodeOutcome(result), purpose));
      return result;
    });
  }

  /**
   * What `transactionOnce` of an earlier execution of this request committed; undefined: nothing. For work that looks at the state before
   * its transaction: a repeat is answered from the outcome, whatever the state is by now.
   */
  committedOutcome(): { readonly outcome: unknown } | undefined {
    const keyed = currentKeyedRequest();
    if (!keyed?.outcome) return undefined;
    keyed.replayed = true;
    return { outcome: decodeOutcome(this.box.open(keyed.outcome, outcomePurpose())) };
  }

  /** In the transaction that undoes what `transactionOnce` did: a repeat of the request does the work anew. */
  async forgetOutcome(tx: Tx): Promise<void> {
    const keyed = currentKeyedRequest();
    if (!keyed) return;
    await storeOutcome(tx, keyed, null);
    keyed.outcome = undefined;
    keyed.replayed = false;
  }

  /**
   * What this request is to the work of `transactionOnce`: `keyed`, a repeat with its `Idempotency-Key` will find what is committed;
   * `replay`, it is such a repeat itself; undefined, nobody can repeat it.
   */
  repetition(): 'keyed' | 'replay' | undefined {
    const keyed = currentKeyedRequest();
    return keyed && (keyed.replayed ? 'replay' : 'keyed');
  }

  /** Runs `work` on the shared schema alone: no tenant's table is in reach. */
  shared<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    return this.inShare(currentTenantId(), () => this.run(this.beginOn('shared'), work));
  }

  /** Has `work` done once this transaction is committed, and never when it is not. Must be quick and not throw. */
  afterCommit(tx: Tx, work: () => void): void {
    const waiting = this.afterCommits.get(tx);
    if (waiting) waiting.push(work);
    else this.afterCommits.set(tx, [work]);
  }

  /**
   * Runs one statement of the current tenant that is atomic by itself: schema-qualified, named and prepared, one round trip.
   * Named statements are switched off by `PREPARED_STATEMENTS=off` (old transaction poolers).
   * @param urgent for the door: gets the tenant's next free connection before other work
   */
  statement<Row extends pg.QueryResultRow>(statement: PreparedStatement, values: readonly unknown[], urgent = false): Promise<Row[]> {
    const { id, schemaName } = usableTenant();
    return this.inShare(id, () => this.execute<Row>(this.compiled(statement, schemaName), values), urgent);
  }

  /** The same for a statement that names shared tables only. */
  sharedStatement<Row extends pg.QueryResultRow>(statement: PreparedStatement, values: readonly unknown[], urgent = false): Promise<Row[]> {
    return this.inShare(currentTenantId(), () => this.execute<Row>(statement, values), urgent);
  }

  /** Connections in the pool: open, idle, and callers waiting for one. */
  poolState(): { open: number; idle: number; waiting: number } {
    const { totalCount, idleCount, waitingCount } = this.pool;
    return { open: totalCount, idle: idleCount, waiting: waitingCount };
  }

  /** Asks PostgreSQL for a sign of life. */
  async ping(): Promise<void> {
    await this.pool.query('select 1');
  }

  /** The database's clock, in milliseconds since 1970. */
  async clock(): Promise<number> {
    const { rows } = await this.pool.query<{ now: number }>('select extract(epoch from clock_timestamp())::float8 * 1000 as now');
    return rows[0]?.now ?? Date.now();
  }

  /**
   * Writes one row of the shared schema and commits it: works only when the database takes writes, commits return and its disk has room.
   * For the readiness of the process, every few seconds at most.
   */
  async confirmCommits(): Promise<void> {
    await this.pool.query(
      `insert into shared.chore (name) values ('readiness probe') on conflict (name) do update set begun_at = excluded.begun_at`,
    );
  }

  /** The process's pool. */
  get pool(): pg.Pool {
    return (this.dataSource.driver as unknown as { master: pg.Pool }).master;
  }

  private async execute<Row extends pg.QueryResultRow>(statement: PreparedStatement, values: readonly unknown[]): Promise<Row[]> {
    const named = this.settings.preparedStatements ? { name: statement.name } : {};
    const { rows } = await this.pool.query<Row>({ ...named, text: statement.text, values: [...values] });
    return rows;
  }

  private compiled(statement: PreparedStatement, schemaName: string): { name: string; text: string } {
    const key = `${statement.name}:${schemaName}`;
    let compiled = this.texts.get(key);
    if (!compiled) {
      // Bounded, as everything keyed by tenant: forgetting costs one replace.
      if (this.texts.size >= 10_000) this.texts.clear();
      compiled = { name: key, text: statement.text.replaceAll('{tenant}', `"${schemaName}"`) };
      this.texts.set(key, compiled);
    }
    return compiled;
  }

  /** In one round trip: begin, the search path, and limits that end what nobody waits for any more. All of it ends with the transaction. */
  private beginOn(searchPath: string): string {
    return `begin; set local search_path to ${searchPath}; ${this.limits}`;
  }

  private async run<Result>(begin: string, work: (tx: Tx) => Promise<Result>, begun?: (row: unknown) => void): Promise<Result> {
    let done: Tx | undefined;
    const result = await runTransaction(this.dataSource, begin, (tx) => work((done = tx)), begun);
    for (const after of (done && this.afterCommits.get(done)) ?? []) after();
    return result;
  }

  /**
   * Does work within the current tenant's share of the connections. Work inside of such work has its place already: waiting for another one
   * could wait for itself.
   */
  private async inShare<Result>(tenantId: string | undefined, work: () => Promise<Result>, urgent = false): Promise<Result> {
    if (tenantId === undefined || shareSlot.get() === tenantId) return work();
    const turn = this.share.enter(tenantId, urgent);
    if (turn) await turn;
    try {
      return await shareSlot.run(tenantId, work);
    } finally {
      this.share.leave(tenantId);
    }
  }
}
