import { databaseNow, dayInZone, folded, foldedSql, likeLiteral } from '#kernel';
import type { Tx } from '#tenancy';
import { eventEndSql, type AssumedDuration } from './event-end.js';

export interface EventQuery {
  /** Leaves out what started before yesterday and is over. */
  readonly upcoming?: boolean;
  /** The same, and what starts later than so many days after today. */
  readonly nextDays?: number;
  /** Text that name or descriptions contain, whatever its case and accents. */
  readonly text?: string;
}

/** What a list depends on beside its query: the clocks of the tenant, and how long events last that state no end. */
export type EventClock = AssumedDuration & { readonly timeZone: string };

/** Ids of the published events of the current tenant, private ones included, by their start. */
export async function searchEvents(tx: Tx, query: EventQuery, clock: EventClock): Promise<string[]> {
  const { condition, values } = sought(query, clock);
  const rows = await tx.query<{ id: string }[]>(
    `select id from event where ${condition} order by starts_at, id`,
    values,
  );
  return rows.map(({ id }) => id);
}

/**
 * The state of such a list in a few figures: others as soon as anything that is shown of its events is another. One statement, no event is
 * loaded. Sums, because the last change alone would miss one that began earlier and was committed later.
 */
export async function stateOfEvents(tx: Tx, query: EventQuery, clock: EventClock): Promise<string> {
  const { condition, values } = sought(query, clock);
  const [row] = await tx.query<{ state: string }[]>(
    `select concat_ws(' ', count(*), sum(uuid_hash(event.id)::bigint), sum(event.updated_at - timestamptz 'epoch'),
         sum(address.id), sum(address.updated_at - timestamptz 'epoch')) as state
       from (select id, updated_at, postal_address_id from event where ${condition}) event
       left join postal_address address on address.id = event.postal_address_id`,
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
    conditions.push(`(starts_at >= ${yesterday} or ${eventEndSql('event', clock)} >= ${running})`);
  }
  if (query.nextDays !== undefined) {
    conditions.push(`starts_at < ${value(dayInZone(now, timeZone, query.nextDays + 1))}`);
  }
  if (query.text) conditions.push(`${foldedSql(searched)} like ${value(`%${likeLiteral(folded(query.text))}%`)}`);
  return { condition: conditions.join(' and '), values };
}

/** What is searched, one text after the other; the description as it is read, without its elements. */
const searched = `name || E'\\n' || coalesce(short_description, '') || E'\\n' || ${readable(`coalesce(long_description, '')`)}`;

function readable(html: string): string {
  const elements = `regexp_replace(${html}, '<[^>]*>', '', 'g')`;
  return `replace(replace(replace(${elements}, '&lt;', '<'), '&gt;', '>'), '&amp;', '&')`;
}
