import { Injectable } from '@nestjs/common';
import { ScheduledTasks } from '../../database/scheduled/scheduled-tasks.js';
import { TenantDb } from '../../database/transactions/tenant-db.js';
import type { Tx } from '../../database/transactions/tx.js';

/** A kind of rows that are deleted after some time. */
export interface RetentionRule {
  /** Name for operators: `scan log`. */
  readonly name: string;
  /** Rows older than this are deleted; 0: rows are kept for ever. */
  readonly days: number;
  /** SQL name of a tenant table. */
  readonly table: string;
  /** SQL list of the primary key columns. */
  readonly key: string;
  /** SQL of the column with the time that decides. */
  readonly time: string;
  /** SQL of an additional condition. Default: all old rows. */
  readonly condition?: string;
  /** SQL names of columns that become null; the rows stay. Default: the rows are deleted. */
  readonly clears?: readonly string[];
  /** Runs after each step in its transaction, and receives these columns of the deleted rows. */
  readonly afterStep?: {
    readonly returning: string;
    readonly work: (tx: Tx, rows: readonly object[]) => Promise<void>;
  };
}

export interface RetentionCount {
  readonly name: string;
  readonly days: number;
  /** Number of rows that are old enough. */
  readonly rows: number;
}

/** Maximum number of rows per transaction, so that requests can continue meanwhile. */
const step = 1000;

/** Deletes old rows of the tables that libs register: hourly in the background, and on request of an operator. */
@Injectable()
export class RetentionService {
  private readonly rules: RetentionRule[] = [];

  constructor(
    private readonly db: TenantDb,
    private readonly tasks: ScheduledTasks,
  ) {}

  /** Registers a rule. Its rows are deleted hourly from the start of the background work on. */
  add(rule: RetentionRule): void {
    this.rules.push(rule);
    this.tasks.add(`prune ${rule.name}`, async () => {
      await this.pruneRule(rule);
    });
  }

  /** Counts the rows that {@link prune} would delete in the current tenant. Changes nothing. */
  async count(): Promise<RetentionCount[]> {
    const counts: RetentionCount[] = [];
    for (const rule of this.rules) {
      const { name, days } = rule;
      const rows = days === 0 ? 0 : await this.db.transaction((tx) => countOld(tx, rule));
      counts.push({ name, days, rows });
    }
    return counts;
  }

  /** Deletes the old rows of the current tenant and returns their number. */
  async prune(): Promise<RetentionCount[]> {
    const counts: RetentionCount[] = [];
    for (const rule of this.rules) counts.push({ name: rule.name, days: rule.days, rows: await this.pruneRule(rule) });
    return counts;
  }

  private async pruneRule(rule: RetentionRule): Promise<number> {
    let rows = 0;
    for (let deleted = step; deleted === step && rule.days > 0;) {
      deleted = await this.db.transaction((tx) => deleteStep(tx, rule));
      rows += deleted;
    }
    return rows;
  }
}

const oldRows = ({ table, time, condition }: RetentionRule): string =>
  `from ${table} where ${time} < (select now()) - make_interval(days => $1)${condition ? ` and (${condition})` : ''}`;

async function countOld(tx: Tx, rule: RetentionRule): Promise<number> {
  const [row] = await tx.query<{ count: number }[]>(`select count(*)::int as count ${oldRows(rule)}`, [rule.days]);
  return row?.count ?? 0;
}

async function deleteStep(tx: Tx, rule: RetentionRule): Promise<number> {
  const { table, key, time, days, clears, afterStep } = rule;
  const act = clears ? `update ${table} set ${clears.map((column) => `${column} = null`).join(', ')}` : `delete from ${table}`;
  // The trigger of append-only tables (shared.refuse_change) allows deletions only when this setting names the table.
  await tx.query(`select set_config('guichet.retention', $1, true)`, [table]);
  const rows = await tx.query<object[]>(
    `with deleted as (
       ${act} where (${key}) in (select ${key} ${oldRows(rule)} order by ${time} limit ${step})
       returning ${afterStep?.returning ?? '1'})
     select * from deleted`,
    [days],
  );
  if (rows.length > 0) await afterStep?.work(tx, rows);
  return rows.length;
}
