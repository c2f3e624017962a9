import { Inject, Injectable } from '@nestjs/common';
import { SecretBox, SETTINGS, type Settings } from '#kernel';
import type pg from 'pg';
import { DataSource, type EntityManager, type QueryRunner } from 'typeorm';
import { currentKeyedRequest, decodeOutcome, encodeOutcome, storeOutcome } from './idempotency/keyed-request.js';
import { currentTenant } from './tenant-context.js';

export type Tx = EntityManager;

/** A statement for the door: `{tenant}` stands for the quoted schema, `$1 …` for parameters. */
export interface DoorStatement {
  readonly name: string;
  readonly text: string;
}

/** The transaction was rolled back by PostgreSQL although the work ended without an error (an error inside was swallowed). */
export class AbortedTransactionError extends Error {
  constructor() {
    super('The transaction was aborted by an error that the work did not let through.');
  }
}

/**
 * The only door to the data. A method without `tx` begins, a method with `tx` as its first parameter joins.
 * No HTTP, no mail, no file inside a transaction.
 */
@Injectable()
export class TenantDb {
  private readonly texts = new Map<string, { name: string; text: string }>();
  private readonly afterCommits = new WeakMap<Tx, (() => void)[]>();

  constructor(
    private readonly dataSource: DataSource,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'preparedStatements'>,
    private readonly box: SecretBox,
  ) {}

  /**
   * Runs `work` in a transaction of the current tenant: begin and a search path that lasts until its end, in one round trip.
   * @throws NoTenantError outside of `runInTenant`
   */
  transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    const { schemaName } = currentTenant();
    return this.run(`begin; set local search_path to "${schemaName}"`, work);
  }

  /**
   * The transaction that does what a request asks for. In a request with an `Idempotency-Key` its result is committed together with the work,
   * and a repeat of the request whose answer was lost gets that result without doing the work again. One per request.
   * @param work returns plain data (see `encodeOutcome`); what it throws leaves nothing behind
   * @throws Problem 409 `idempotency.in_progress` when the key was taken over meanwhile
   */
  async transactionOnce<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    const keyed = currentKeyedRequest();
    if (!keyed) return this.transaction(work);
    const purpose = `idempotent outcome ${currentTenant().id}`;
    if (keyed.outcome) {
      keyed.replayed = true;
      return decodeOutcome(this.box.open(keyed.outcome, purpose)) as Result;
    }
    return this.transaction(async (tx) => {
      const result = await work(tx);
      await storeOutcome(tx, keyed, this.box.seal(encodeOutcome(result), purpose));
      return result;
    });
  }

  /** In the transaction that undoes what `transactionOnce` did: a repeat of the request does the work anew. */
  async forgetOutcome(tx: Tx): Promise<void> {
    const keyed = currentKeyedRequest();
    if (!keyed) return;
    await storeOutcome(tx, keyed, null);
    keyed.outcome = undefined;
  }

  /** Runs `work` on the shared schema alone: no tenant's table is in reach. */
  shared<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    return this.run('begin; set local search_path to shared', work);
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
   */
  statement<Row extends pg.QueryResultRow>(statement: DoorStatement, values: readonly unknown[]): Promise<Row[]> {
    return this.execute<Row>(this.compiled(statement, currentTenant().schemaName), values);
  }

  /** The same for a statement that names shared tables only. */
  sharedStatement<Row extends pg.QueryResultRow>(statement: DoorStatement, values: readonly unknown[]): Promise<Row[]> {
    return this.execute<Row>(statement, values);
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

  /** The process's pool; for the session store, which brings its own statements on `shared.session`. */
  get pool(): pg.Pool {
    return (this.dataSource.driver as unknown as { master: pg.Pool }).master;
  }

  private async execute<Row extends pg.QueryResultRow>(
    statement: DoorStatement,
    values: readonly unknown[],
  ): Promise<Row[]> {
    const named = this.settings.preparedStatements ? { name: statement.name } : {};
    const { rows } = await this.pool.query<Row>({ ...named, text: statement.text, values: [...values] });
    return rows;
  }

  private compiled(statement: DoorStatement, schemaName: string): { name: string; text: string } {
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

  private async run<Result>(begin: string, work: (tx: Tx) => Promise<Result>): Promise<Result> {
    const runner = this.dataSource.createQueryRunner();
    const client = (await runner.connect()) as pg.PoolClient;
    try {
      await client.query(begin);
      markActive(runner, true);
      const result = await work(runner.manager);
      const { command } = await client.query('commit');
      if (command !== 'COMMIT') throw new AbortedTransactionError();
      for (const after of this.afterCommits.get(runner.manager) ?? []) after();
      return result;
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      throw error;
    } finally {
      await giveBack(runner, client);
    }
  }
}

/** A connection that is not idle would serve its next user inside a foreign transaction: it is closed instead. */
async function giveBack(runner: QueryRunner, client: pg.PoolClient): Promise<void> {
  markActive(runner, false);
  const { getTransactionStatus } = client as unknown as { getTransactionStatus(): string | null };
  if (getTransactionStatus.call(client) !== 'I') void (client as unknown as pg.Client).end().catch(() => undefined);
  await runner.release();
}

/** TypeORM then joins this transaction instead of beginning its own for every save. */
function markActive(runner: QueryRunner, active: boolean): void {
  (runner as { isTransactionActive: boolean }).isTransactionActive = active;
}
