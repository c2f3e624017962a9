import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { currentTenantId, isDatabaseUnavailable, Kept, SecretBox, SETTINGS, type Settings } from '#kernel';
import type pg from 'pg';
import { limits } from '../../limits.js';
import type { DatabaseNode } from '../connections/database-node.js';
import { Nodes, type PoolState } from '../connections/nodes.js';
import { clientCheckInterval, transactionSettingsSql, hasSessionLimits } from '../connections/database.js';
import { executeIn } from './execute-statement.js';
import { currentKeyedRequest, decodeOutcome, encodeOutcome, storeOutcome } from './keyed-request.js';
import { entryOf } from './tenant-lock.js';
import { changeMaker } from '../context/acting-person.js';
import { refuseUnfitSchema } from '../context/tenancy.problems.js';
import { currentNode, currentTenant, onNode, type TenantIdentity } from '../context/tenant-context.js';
import { runAtOnce, runTransaction } from '../connections/transaction-runner.js';
import { wireValue } from '../connections/pipelined-client.js';
import type { PreparedStatement, SentStatement } from './prepared-query.js';
import type { Tx } from './tx.js';

type DatabaseSettings = Pick<Settings, 'preparedStatements' | 'databasePoolSize' | 'databaseTimeoutMs' | 'databaseWaitMs'>;

/** Returns the current tenant if its tables match this program. Every access to a tenant's data calls this. */
function usableTenant(): TenantIdentity {
  const tenant = currentTenant();
  refuseUnfitSchema(tenant);
  return tenant;
}

const enterShared = {
  name: 'shared-enter',
  text: `select pg_catalog.set_config('search_path', 'shared', true), pg_catalog.set_config('guichet.by', $1, true)`,
};
const clockStatement = { name: 'clock', text: 'select extract(epoch from clock_timestamp())::float8 * 1000 as now' };
const nodeStatement = { name: 'node-of-tenant', text: 'select node from shared.tenant where id = $1' };

const outcomePurpose = (): string => `idempotent outcome ${currentTenant().id}`;

/**
 * The only access to the database. A method without `tx` begins a transaction; a method with `tx` as its first parameter joins one. No
 * HTTP, mail or file access inside a transaction.
 */
@Injectable()
export class TenantDb implements OnModuleInit {
  private sessionSettings: string;
  /** Increases with each `collect`. */
  private turn = 0;
  private readonly texts = new Kept<{ name: string; text: string }>(limits.statements.kept);
  private readonly afterCommits = new WeakMap<Tx, (() => void | Promise<void>)[]>();

  constructor(
    private readonly nodes: Nodes,
    @Inject(SETTINGS) private readonly settings: DatabaseSettings,
    private readonly box: SecretBox,
  ) {
    this.sessionSettings = transactionSettingsSql(settings.databaseTimeoutMs);
  }

  /** Sets `client_connection_check_interval`, unless PostgreSQL does not support it on its operating system. */
  async onModuleInit(): Promise<void> {
    const allowed = await this.nodes.home.pool
      .query(`select set_config('client_connection_check_interval', '${clientCheckInterval}', true)`)
      .then(
        () => true,
        () => false,
      );
    if (allowed) this.sessionSettings += `, set_config('client_connection_check_interval', '${clientCheckInterval}', true)`;
  }

  /**
   * Runs `work` in a transaction of the current tenant. BEGIN, limits and entry leave with the first statements of it.
   * @throws NoTenantError outside of `runInTenant`
   * @throws Problem 503 `tenant.migrating` while the tenant's tables do not match this program
   * @throws Problem 503 `tenant.changed` when state or category of the tenant changed since the request began, 410 `tenant.deleted` when
   *   it does not exist any more
   * @throws Problem 401, 403 when the key of the request, which was not looked up before, may not be used
   */
  transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    const tenant = usableTenant();
    const { statement, accepted, refuse } = entryOf(tenant);
    const begin = (client: pg.PoolClient) => [this.begin(client), client.query(this.named(statement)).then(accepted, refuse)];
    return this.nodes.run(tenant.node, (node) => node.inShare(tenant.id, () => this.run(node, begin, work)));
  }

  /**
   * Runs statements of the current tenant as one transaction in one round trip: the entry and the statements are sent together. No code of
   * the caller runs in between: the statements decide themselves what they write. They are without `{tenant}`, as those of `queryPrepared`.
   * @returns the rows of the last statement
   * @throws as `transaction`, then the error of the first statement that failed; nothing is written then
   */
  async atOnce<Row extends pg.QueryResultRow>(statements: readonly SentStatement[]): Promise<Row[]> {
    const tenant = usableTenant();
    const { statement: entry, accepted, refuse } = entryOf(tenant);
    const all = [{ statement: entry, values: entry.values }, ...statements];
    // An unusable value fails here, before anything is sent.
    const sent = all.map(({ statement: { name, text }, values }) =>
      this.named({ name, text, values: values.map((value) => wireValue(value)) }),
    );
    const statementsFor = (client: pg.PoolClient) => (hasSessionLimits(client) ? sent : [{ text: this.sessionSettings }, ...sent]);
    const write = (node: DatabaseNode) => node.inShare(tenant.id, () => runAtOnce<Row>(node.pool, statementsFor));
    const rows = await this.nodes.run(tenant.node, write).catch(refuse);
    accepted();
    return rows;
  }

  /**
   * Runs the main transaction of a request, at most one per request. When the request has an `Idempotency-Key`, the result is committed
   * with the work, so that a repeated request returns it without doing the work again.
   * @param work returns plain data (see `encodeOutcome`); an error rolls everything back
   * @throws Problem 409 `idempotency.in_progress` when another execution took over the key
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
   * Returns the result that `transactionOnce` committed in an earlier execution of this request; undefined: none. For work that reads state
   * before its transaction: a repeated request is answered from this result even if the state has changed.
   */
  committedOutcome(): { readonly outcome: unknown } | undefined {
    const keyed = currentKeyedRequest();
    if (!keyed?.outcome) return undefined;
    keyed.replayed = true;
    return { outcome: decodeOutcome(this.box.open(keyed.outcome, outcomePurpose())) };
  }

  /** Deletes the stored result, in the transaction that undoes the work. A repeated request then does the work again. */
  async forgetOutcome(tx: Tx): Promise<void> {
    const keyed = currentKeyedRequest();
    if (!keyed) return;
    await storeOutcome(tx, keyed, null);
    keyed.outcome = undefined;
    keyed.replayed = false;
  }

  /**
   * Whether this request can be repeated: `keyed`: it has an `Idempotency-Key`; `replay`: it repeats a committed request; undefined: it has
   * no key.
   */
  repetition(): 'keyed' | 'replay' | undefined {
    const keyed = currentKeyedRequest();
    return keyed && (keyed.replayed ? 'replay' : 'keyed');
  }

  /**
   * Runs `work` in a transaction on the shared schema, without access to a tenant's tables: on the node of the current tenant or of
   * `onNode`, otherwise on the home node.
   */
  shared<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    const begin = (client: pg.PoolClient) => [this.begin(client), client.query(this.named({ ...enterShared, values: [changeMaker()] }))];
    return this.nodes.run(currentNode(), (node) => node.inShare(currentTenantId(), () => this.run(node, begin, work)));
  }

  /** Runs `work` on each node, see `onNode`. @returns the results of those that answer @throws the error of one that does, or of home */
  async onEachNode<Result>(work: () => Promise<Result>): Promise<Result[]> {
    const ends = await Promise.allSettled(this.nodes.ids.map((id) => onNode(id, work)));
    const failures = ends.flatMap((end) => (end.status === 'rejected' ? [end] : []));
    const failure = failures.length === ends.length ? failures[0] : failures.find(({ reason }) => !isDatabaseUnavailable(reason));
    if (failure) throw failure.reason;
    return ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
  }

  /**
   * Changes rows that each node has of its own: here in this transaction, on the others once it is committed. The others are left out when
   * they do not answer or the process ends meanwhile: only for changes that something else makes sure of.
   */
  async everywhere(tx: Tx, work: (tx: Tx) => Promise<unknown>): Promise<void> {
    await work(tx);
    const others = this.nodes.ids.filter((id) => id !== currentNode());
    if (others.length === 0) return;
    this.afterCommit(tx, async () => void (await Promise.allSettled(others.map((id) => onNode(id, () => this.shared(work))))));
  }

  /**
   * Collects results of the nodes until there are `most`, beginning with another node each time. A node that does not
   * answer does not keep those of the others.
   * @param work gets the number that is left
   * @throws the error of a node when there are no results
   */
  async collect<Item>(most: number, work: (left: number) => Promise<Item[]>): Promise<Item[]> {
    const { ids } = this.nodes;
    const items: Item[] = [];
    let failure: { error: unknown } | undefined;
    this.turn += 1;
    for (const index of ids.keys()) {
      const id = ids[(this.turn + index) % ids.length] as number;
      try {
        if (items.length < most) items.push(...(await onNode(id, () => work(most - items.length))));
      } catch (error) {
        failure = { error };
      }
    }
    if (failure && items.length === 0) throw failure.error;
    return items;
  }

  /** Runs `work` on the node of a tenant, without entering it: for acts of operators on it. */
  async onNodeOf<Result>(tenantId: string, work: () => Promise<Result>): Promise<Result> {
    if (!this.nodes.areSeveral) return work();
    const [tenant] = await this.sharedStatement<{ node: number }>(nodeStatement, [tenantId]);
    return onNode(tenant?.node ?? currentNode(), work);
  }

  /** Calls `work` after the transaction is committed; not after a rollback. `work` must be fast and must not throw. */
  afterCommit(tx: Tx, work: () => void | Promise<void>): void {
    const waiting = this.afterCommits.get(tx);
    if (waiting) waiting.push(work);
    else this.afterCommits.set(tx, [work]);
  }

  /**
   * Runs one atomic statement of the current tenant in one round trip, with schema-qualified names. It is prepared unless
   * `PREPARED_STATEMENTS=off` (for old transaction poolers).
   * @param urgent for scanning: gets the tenant's next free connection before other work, and one of those that other work may not use
   */
  statement<Row extends pg.QueryResultRow>(statement: PreparedStatement, values: readonly unknown[], urgent = false): Promise<Row[]> {
    const tenant = usableTenant();
    const sent = this.named({ ...this.compiled(statement, tenant.schemaName), values: [...values] });
    return this.nodes.run(tenant.node, (node) => node.inShare(tenant.id, () => executeIn<Row>(node, sent, tenant), urgent));
  }

  /** Like `statement`, for statements on shared tables only. */
  sharedStatement<Row extends pg.QueryResultRow>(statement: PreparedStatement, values: readonly unknown[], urgent = false): Promise<Row[]> {
    const sent = this.named({ ...statement, values: [...values] });
    return this.nodes.run(currentNode(), (node) => node.inShare(currentTenantId(), () => node.rows<Row>(sent), urgent));
  }

  /** Number of connections in the pools, of idle ones, and of callers waiting for one. */
  poolState(): PoolState {
    return this.nodes.poolState();
  }

  /** Host and port of the other database servers than home that do not answer, as far as this process has used them. */
  get silentNodes(): readonly string[] {
    return this.nodes.silent;
  }

  /** Whether the database server of a tenant answers, as far as this process has used it. */
  answers({ node }: Pick<TenantIdentity, 'node'>): boolean {
    return this.nodes.answers(node);
  }

  /** Checks that PostgreSQL at home answers. */
  async ping(): Promise<void> {
    await this.pool.query('select 1');
  }

  /** The clock of the current node, in milliseconds since 1970. */
  async clock(): Promise<number> {
    const [row] = await this.sharedStatement<{ now: number }>(clockStatement, []);
    return row?.now ?? Date.now();
  }

  /**
   * Writes one row of the shared schema and commits it. Fails when the database is read-only, cannot commit or has no disk space. For the
   * readiness check, every few seconds at most.
   */
  async confirmCommits(): Promise<void> {
    await this.pool.query(
      `insert into shared.chore (name) values ('readiness probe') on conflict (name) do update set begun_at = excluded.begun_at`,
    );
  }

  private compiled(statement: PreparedStatement, schemaName: string): { name: string; text: string } {
    const key = `${statement.name}:${schemaName}`;
    return this.texts.of(key, () => ({ name: key, text: statement.text.replaceAll('{tenant}', `"${schemaName}"`) }));
  }

  /** Begins a transaction, with limits for work whose result nobody waits for, unless the session has them. */
  private begin(client: pg.PoolClient): Promise<unknown> {
    return client.query(hasSessionLimits(client) ? 'begin' : `begin; ${this.sessionSettings}`);
  }

  private named({ name, ...statement }: PreparedStatement & { readonly values: unknown[] }): pg.QueryConfig {
    return this.settings.preparedStatements ? { name, ...statement } : statement;
  }

  /** The process's pool at home. */
  get pool(): pg.Pool {
    return this.nodes.home.pool;
  }

  private async run<Result>(
    { dataSource }: DatabaseNode,
    begin: (client: pg.PoolClient) => readonly Promise<unknown>[],
    work: (tx: Tx) => Promise<Result>,
  ): Promise<Result> {
    let done: Tx | undefined;
    const result = await runTransaction(dataSource, begin, (tx) => work((done = tx)));
    for (const after of (done && this.afterCommits.get(done)) ?? []) await after();
    return result;
  }
}
