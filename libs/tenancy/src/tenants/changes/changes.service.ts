import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { SETTINGS, type Settings } from '#kernel';
import { TenantDb } from '../../database/transactions/tenant-db.js';
import type { Tx } from '../../database/transactions/tx.js';
import { changeHashSql, contentHashSql } from '../../migrations/index.js';
import { RetentionService } from '../maintenance/retention.service.js';

/** A row of the record that is not as it was written. */
export interface BrokenChange {
  readonly position: string;
  /** `missing`: the row before it is gone. `altered`: the row. `values`: its values. */
  readonly fault: 'missing' | 'altered' | 'values';
}

/** The result of a verification. */
export interface VerifiedChanges {
  readonly rows: number;
  /** Hash of the newest row, hexadecimal: whoever keeps it can tell later whether rows were removed from the end. Null: no row. */
  readonly head: string | null;
  readonly broken: readonly BrokenChange[];
}

/** Rows that one statement verifies, so that it stays within the time limit. */
const step = 10_000;
/** Maximum of reported faults. */
const mostFaults = 100;

/** $1 first position · $2 behind the last one. The row before the first one is read, too. A pruned record begins where its row says. */
const brokenSql = `
  select position, case when hash_before is null and position > 1 then 'missing'
    when hash is distinct from ${changeHashSql('c', 'hash_before')} then 'altered' else 'values' end as fault
  from (
    select c.*, case when position = 1 then null when lag(position) over rows = position - 1 then lag(hash) over rows
      else (select decode(pruned.fields[1], 'hex') from change pruned where pruned.object = 'change' and pruned.action = 'pruned'
        and pruned.record = (c.position - 1)::text and not exists (select from change earlier where earlier.position < c.position)) end
      as hash_before
    from change c where position >= $1 - 1 and position < $2 window rows as (order by position)) c
  where position >= $1 and (hash_before is null and position > 1 or hash is distinct from ${changeHashSql('c', 'hash_before')}
    or content is not null and content_hash is distinct from ${contentHashSql('c')})
  order by position limit ${mostFaults}`;

/** Verifies the record of changes, and forgets what is old. Triggers write it, see the migration `record of changes`. */
@Injectable()
export class ChangesService implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly retention: RetentionService,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'changeDays' | 'moneyChangeDays'>,
  ) {}

  onModuleInit(): void {
    const { changeDays, moneyChangeDays } = this.settings;
    const rows = { table: 'change', key: 'position', time: 'at' };
    const values = { ...rows, clears: ['content', 'salt'] };
    this.retention.add({ ...values, name: 'values of changes', days: changeDays, condition: `content is not null and kind <> 'money'` });
    this.retention.add({
      ...values,
      name: 'values of changes of money',
      days: moneyChangeDays,
      condition: `content is not null and kind = 'money'`,
    });
    this.retention.add({
      ...rows,
      name: 'record of changes',
      days: changeDays === 0 || moneyChangeDays === 0 ? 0 : Math.max(changeDays, moneyChangeDays),
      condition: 'position < (select max(position) from change)',
      afterStep: { returning: `position, encode(hash, 'hex') as hash`, work: recordPruning },
    });
  }

  /** When one of these columns of a record was changed last; undefined: never since the record was begun or pruned. */
  async lastChange(object: string, record: string, fields: readonly string[]): Promise<Date | undefined> {
    const [row] = await this.db.transaction((tx) =>
      tx.query<{ at: Date | null }[]>(
        `select max(at) as at from change where record = $1 and object = $2 and action = 'changed' and fields && $3`,
        [record, object, fields],
      ),
    );
    return row?.at ?? undefined;
  }

  /** Verifies the record of the current tenant. */
  async verify(): Promise<VerifiedChanges> {
    const bounds = await this.db.transaction(async (tx) => {
      const [row] = await tx.query<{ first: string | null; last: string; rows: number; head: string | null }[]>(
        `select min(position) as first, max(position) as last, count(*)::int as rows,
           (select encode(hash, 'hex') from change order by position desc limit 1) as head from change`,
      );
      return row;
    });
    if (!bounds || bounds.first === null) return { rows: 0, head: null, broken: [] };
    const broken: BrokenChange[] = [];
    for (let from = Number(bounds.first); from <= Number(bounds.last) && broken.length < mostFaults; from += step)
      broken.push(...(await this.db.transaction((tx) => tx.query<BrokenChange[]>(brokenSql, [from, from + step]))));
    return { rows: bounds.rows, head: bounds.head, broken: broken.slice(0, mostFaults) };
  }
}

/** Says in the record through which row it was pruned, and the hash of that row, to which the first remaining row is chained. */
async function recordPruning(tx: Tx, rows: readonly object[]): Promise<void> {
  const last = (rows as readonly { readonly position: string; readonly hash: string }[]).reduce((one, other) =>
    BigInt(other.position) > BigInt(one.position) ? other : one,
  );
  await tx.query(`select shared.add_change(current_schema()::text, 'record', 'change', $1, 'pruned', $2, '[]')`, [
    last.position,
    [last.hash],
  ]);
}

/**
 * Call it in a transaction that erases a person: the record then forgets the values of all changes of the records that the transaction
 * changes, and says that they were erased.
 */
export async function eraseRecorded(tx: Tx): Promise<void> {
  await tx.query(`select set_config('guichet.erasing', 'on', true)`);
}

/** Forgets the values of all changes of these records, which do not belong to an erased person any more but once did. */
export async function forgetRecorded(tx: Tx, records: readonly string[]): Promise<void> {
  await tx.query('update change set content = null, salt = null where record = any($1) and content is not null', [records]);
}
