import { ScanLogEntry } from '#scan';
import type { Tx } from '#tenancy';
import type { EntityTarget, ObjectLiteral, QueryDeepPartialEntity } from 'typeorm';
import type { AttemptRow } from './demo-doors.js';

/** PostgreSQL accepts 65,535 parameters per statement; a thousand of these rows stay far below. */
export async function insertAll<Entity extends ObjectLiteral>(
  tx: Tx,
  entity: EntityTarget<Entity>,
  rows: readonly QueryDeepPartialEntity<Entity>[],
): Promise<void> {
  for (let start = 0; start < rows.length; start += 1000) {
    const some = rows.slice(start, start + 1000);
    await tx.createQueryBuilder().insert().into(entity).values(some).updateEntity(false).execute();
  }
}

/** Inserts in order of time, because an undo refers to its scan. */
export async function insertLog(tx: Tx, attempts: readonly AttemptRow[]): Promise<void> {
  let waiting: AttemptRow[] = [];
  for (const attempt of attempts.toSorted((one, other) => one.recordedAt.getTime() - other.recordedAt.getTime())) {
    if (attempt.action === 'undo') {
      await insertAll(tx, ScanLogEntry, waiting);
      waiting = [];
      const undoes = await lastScanOf(tx, attempt.ticketId);
      await tx.insert(ScanLogEntry, { ...attempt, undoes });
    } else {
      waiting.push(attempt);
    }
  }
  await insertAll(tx, ScanLogEntry, waiting);
}

async function lastScanOf(tx: Tx, ticketId: string | null): Promise<string | null> {
  const scan = await tx.findOne(ScanLogEntry, {
    where: { ticketId: ticketId ?? '', action: 'scan', outcome: 'accepted' },
    order: { recordedAt: 'DESC', id: 'DESC' },
  });
  return scan?.id ?? null;
}

/** Moves the creation times of the catalogue before the bookings. Prices keep their order. */
export async function backdate(tx: Tx): Promise<void> {
  await tx.query(`update product set created_at = (select now() - interval '120 days')`);
  await tx.query(
    `update price set created_at = made.at from (
       select id, now() - interval '120 days' + row_number() over (order by created_at, id) * interval '1 second' as at from price) made
     where made.id = price.id`,
  );
  const events = await tx.query<{ id: string; at: string }[]>(
    `select id, (least(now(), starts_at) - interval '45 days')::text as at from event`,
  );
  await tx.query(
    `update event set created_at = made.at from unnest($1::uuid[], $2::timestamptz[]) as made (id, at) where made.id = event.id`,
    [events.map(({ id }) => id), events.map(({ at }) => at)],
  );
}
