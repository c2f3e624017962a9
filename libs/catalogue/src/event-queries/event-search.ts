import { databaseNow, dayInZone, folded, foldedSql, likeLiteral } from '#kernel';
import type { Tx } from '#tenancy';
import { eventEndSql, type AssumedDuration } from './event-end.js';

export interface EventQuery {
  /** Excludes events that were over before yesterday. */
  readonly upcoming?: boolean;
  /** Like `upcoming`, and also excludes events that start more than this number of days after today. */
  readonly nextDays?: number;
  /** Text that name, subtitle or descriptions contain, ignoring case and accents. */
  readonly text?: string;
}

/** Data that determines a list besides its query: the tenant's time zone, and the assumed duration of events without an end. */
export type EventClock = AssumedDuration & { readonly timeZone: string };

/** Ids of the published events of the current tenant, including private ones, by start. */
export async function searchEvents(tx: Tx, query: EventQuery, clock: EventClock): Promise<string[]> {
  const { condition, values } = sought(query, clock);
  const rows = await tx.query<{ id: string }[]>(`select id from event where ${condition} order by starts_at, id`, values);
  return rows.map(({ id }) => id);
}

/**
 * A version tag of such a list: it changes whenever anything that is shown of its events changes. One statement, no event is loaded. Uses
 * sums, because the latest change time alone would miss a change that began earlier and was committed later.
 */
export async function stateOfEvents(tx: Tx, query: EventQuery, clock: EventClock): Promise<string> {
  const { condition, values } = sought(query, clock);
  const [row] = await tx.query<{ state: string }[]>(
    `select concat_ws(' ', count(*), sum(uuid_hash(event.id)::bigint), sum(event.updated_at - timestamptz 'epoch'),
         sum(address.id), sum(address.updated_at - timestamptz 'epoch'),
         sum(series.updated_at - timestamptz 'epoch')) as state
       from (select id, updated_at, postal_address_id, series_id from event where ${condition}) event
       left join postal_address address on address.id = event.postal_address_id
       left join event_series series on series.id = event.series_id`,
    values,
  );
  return row?.state ?? '';
}

function sought(query: EventQuery, clock: EventClock): { condition: string; values: unknown[] } {
  const conditions = ['published'];
  const values: unknown[] = [];
  const value = (given: unknown): string => `$${values.push(given)}`;
  const now = databaseNow();
  const { timeZone } = clock;
  if (query.upcoming || query.nextDays !== undefined) {
    const [yesterday, running] = [value(dayInZone(now, timeZone, -1)), value(now)];
    conditions.push(`(starts_at >= ${yesterday} or ends_at > ${yesterday} or ${eventEndSql('event', clock)} >= ${running})`);
  }
  if (query.nextDays !== undefined) {
    conditions.push(`starts_at < ${value(dayInZone(now, timeZone, query.nextDays + 1))}`);
  }
  if (query.text) conditions.push(`${foldedSql(searched)} like ${value(`%${likeLiteral(folded(query.text))}%`)}`);
  return { condition: conditions.join(' and '), values };
}

/** The searched text; the description without its elements. */
const searched = `concat_ws(E'\\n', name, subtitle, short_description, ${readable('long_description')})`;

function readable(html: string): string {
  const elements = `regexp_replace(${html}, '<[^>]*>', '', 'g')`;
  return `replace(replace(replace(${elements}, '&lt;', '<'), '&gt;', '>'), '&amp;', '&')`;
}
