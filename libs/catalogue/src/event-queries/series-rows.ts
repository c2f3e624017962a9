import { randomUUID } from 'node:crypto';
import { asciiWords } from '#kernel';
import type { Tx } from '#tenancy';
import { EventSeries } from '../entities/event-series.entity.js';
import { cancelledEventSql } from './event-publicity.js';

/** Makes a series with its slug: name and first eight hex digits of the id. @returns the id */
export async function newSeries(tx: Tx, name: string): Promise<string> {
  const id = randomUUID();
  await tx.insert(EventSeries, { id, name, slug: [asciiWords(name, 80), id.slice(0, 8)].filter(Boolean).join('-') });
  return id;
}

/**
 * Deletes a series that the transaction took the last date from. The lock lets a transaction see what the one before took. Called last,
 * because every transaction locks series after events.
 */
export async function dropEmptySeries(tx: Tx, id: string | null): Promise<void> {
  if (id === null) return;
  await tx.query('select 1 from event_series where id = $1 for update', [id]);
  await tx.query('delete from event_series where id = $1 and not exists (select 1 from event where series_id = $1)', [id]);
}

/** Ids of an event and of the later dates of its series, without cancelled ones, by start. */
export async function datesFrom(
  tx: Tx,
  { id, seriesId, startsAt }: { id: string; seriesId: string | null; startsAt: Date },
): Promise<string[]> {
  const rows = await tx.query<{ id: string }[]>(
    `select id from event where id = $1 or (series_id = $2 and (starts_at, id) > ($3, $1) and not ${cancelledEventSql('event')})
     order by starts_at, id`,
    [id, seriesId, startsAt],
  );
  return rows.map((row) => row.id);
}

/** SQL condition: a coming date that is neither published nor cancelled. @param event its alias in the statement */
export function unpublishedDateSql(event: string): string {
  return `(not ${event}.published and ${event}.starts_at > now() and not ${cancelledEventSql(event)})`;
}
