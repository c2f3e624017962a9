import type { DraftChoice } from '#selling';
import type { NetworkKeys } from '#tickets';
import { onSaleSql } from '#tickets';
import type { AssumedDuration } from '#catalogue';
import { customersOfSite, databaseNow } from '#kernel';
import { queryPrepared, type PreparedStatement, type TenantDb, type Tx } from '#tenancy';

/** A spot to add at the end of a queue. */
export interface NewSpot extends NetworkKeys {
  readonly id: string;
  readonly choice: DraftChoice;
  readonly cartId: string | null;
  readonly arrivedAt: Date;
  readonly askBy: Date;
}

/** What one statement writes: spots that are new, and those whose owners asked again. */
export interface QueueChanges {
  readonly arrivals: readonly NewSpot[];
  /** Until when the owners are expected to ask again, by the id of the spot. */
  readonly asks: ReadonlyMap<string, Date>;
}

/** The queue as the statement found it, without what it wrote. */
export interface QueueRead {
  /** Ids of the spots whose owners are present, first in, first out. */
  readonly present: readonly string[];
  /** Ids of the arrivals that found room. */
  readonly arrived: readonly string[];
  /** Ids of the arrivals whose choice is not on sale. */
  readonly shut: readonly string[];
  /** Whether the queues of the tenant are full. */
  readonly full: boolean;
}

/** A stored spot. */
export interface StoredSpot extends NetworkKeys {
  readonly eventId: string;
  readonly cartId: string | null;
  readonly choice: DraftChoice;
  readonly isServed: boolean;
}

/** Limits of the queues of a tenant. */
export interface QueueLimits {
  /** Present people in all queues of the tenant. */
  readonly spots: number;
  /** Spots of one network in the queue of an event, also of people who went away, until they are pruned. A site has more. */
  readonly ofNetwork: number;
}

const isPresent = 'served_at is null and ask_by > statement_timestamp()';

/**
 * SQL: whether everything of a choice is on sale. Nobody waits for a sale that is not open.
 * @param choice SQL of the JSON
 */
const isOpenSql = (choice: string): string => `not exists (select 1 from jsonb_array_elements(${choice}->'lines') as line
  where line->>'priceId' not in (select id::text from open))`;

/** The statements that look at the sale. */
export interface QueueStatements {
  readonly exchange: PreparedStatement;
  readonly rechoose: PreparedStatement;
}

/** Writes the statements for an assumed duration of events. */
export const queueStatements = (assumed: AssumedDuration): QueueStatements => ({
  exchange: { name: 'booking-queue-exchange', text: exchangeSql(assumed) },
  rechoose: { name: 'booking-queue-rechoose', text: rechooseSql(assumed) },
});

// One statement for everybody who arrived or asked since the last one: in a rush a round trip for each of them would cost more than the
// bookings. It counts before it adds, so that simultaneous statements of several servers may exceed the limits by what one of them adds.
// Spots of people who went away count for their network: otherwise it could collect spots, and fill the queue with all of them later.
const exchangeSql = (assumed: AssumedDuration): string => `with
    open as (${onSaleSql('$1::uuid', assumed, '{tenant}.')}),
    given as (
      select given.*, ${isOpenSql('given.choice')} as is_open
      from unnest($2::uuid[], $3::text[], $12::text[], $4::jsonb[], $5::uuid[], $6::timestamptz[], $7::timestamptz[])
        with ordinality as given (id, network, network_site, choice, cart_id, arrived_at, ask_by, position)),
    numbered as (
      select given.id, given.network, row_number() over (order by position) as position,
        row_number() over (partition by network order by position) as of_network,
        row_number() over (partition by network_site order by position) as of_site
      from given where is_open),
    again as (
      select spot.id, asked.ask_by, spot.arrived_at, spot.ask_by > statement_timestamp() as is_present
      from unnest($8::uuid[], $9::timestamptz[]) as asked (id, ask_by) join {tenant}.booking_queue spot on spot.id = asked.id
      where spot.event_id = $1 and spot.served_at is null),
    back as (
      select id, row_number() over (order by arrived_at, id) as position from again
      where not is_present and ask_by > statement_timestamp()),
    counted as (select count(*) as present from {tenant}.booking_queue where ${isPresent}),
    kept as (
      select network, count(*) as spots from {tenant}.booking_queue
      where event_id = $1 and served_at is null and network = any($3::text[]) group by network),
    kept_of_site as (
      select network_site, count(*) as spots from {tenant}.booking_queue
      where event_id = $1 and served_at is null and network_site = any($12::text[]) group by network_site),
    arrived as (
      insert into {tenant}.booking_queue (id, event_id, network, network_site, choice, cart_id, arrived_at, ask_by)
      select given.id, $1::uuid, given.network, given.network_site, given.choice, given.cart_id, given.arrived_at, given.ask_by
      from given join numbered on numbered.id = given.id cross join counted left join kept on kept.network = given.network
        left join kept_of_site on kept_of_site.network_site = given.network_site
      where counted.present + (select count(*) from back) + numbered.position <= $10::int
        and numbered.of_network + coalesce(kept.spots, 0) <= $11::int
        and (given.network_site is null or numbered.of_site + coalesce(kept_of_site.spots, 0) <= $13::int)
      returning id),
    asked as (
      update {tenant}.booking_queue set ask_by = again.ask_by from again left join back on back.id = again.id cross join counted
      where booking_queue.id = again.id and booking_queue.served_at is null
        and (back.id is null or counted.present + back.position <= $10::int))
    select
      (select string_agg(id::text, ',' order by arrived_at, id) from {tenant}.booking_queue
        where event_id = $1 and ${isPresent}) as present,
      (select string_agg(id::text, ',') from arrived) as arrived,
      (select string_agg(id::text, ',') from given where not is_open) as shut,
      (select present >= $10::int from counted) as "full"`;

/** Adds arrivals to the queue of an event, notes who asked again, and reads the queue, in one round trip. */
export async function exchange(
  db: TenantDb,
  statements: QueueStatements,
  eventId: string,
  { arrivals, asks }: QueueChanges,
  limits: QueueLimits,
): Promise<QueueRead> {
  const [read] = await db.statement<Record<'present' | 'arrived' | 'shut', string | null> & { full: boolean }>(statements.exchange, [
    eventId,
    arrivals.map(({ id }) => id),
    arrivals.map(({ network }) => network),
    arrivals.map(({ choice }) => stored(choice)),
    arrivals.map(({ cartId }) => cartId),
    arrivals.map(({ arrivedAt }) => arrivedAt),
    arrivals.map(({ askBy }) => askBy),
    [...asks.keys()],
    [...asks.values()],
    limits.spots,
    limits.ofNetwork,
    arrivals.map(({ networkSite }) => networkSite),
    limits.ofNetwork * customersOfSite,
  ]);
  return { present: idsIn(read?.present), arrived: idsIn(read?.arrived), shut: idsIn(read?.shut), full: read?.full ?? false };
}

const idsIn = (text: string | null | undefined): string[] => (text ? text.split(',') : []);

const stored = ({ lines, options, keepsOthers, code }: DraftChoice): string => JSON.stringify({ lines, options, keepsOthers, code });

interface Row extends NetworkKeys {
  readonly eventId: string;
  readonly cartId: string | null;
  readonly choice: Omit<DraftChoice, 'eventId'>;
  readonly isServed: boolean;
}

const columns = `event_id as "eventId", cart_id as "cartId", network, network_site as "networkSite", choice,
  served_at is not null as "isServed"`;

const toSpot = ({ choice, ...row }: Row): StoredSpot => ({ ...row, choice: { ...choice, eventId: row.eventId } });

const findStatement: PreparedStatement = {
  name: 'booking-queue-find',
  text: `select ${columns} from {tenant}.booking_queue where id = $1`,
};

/** @returns undefined when there is no such spot (any more) */
export async function findSpot(db: TenantDb, id: string): Promise<StoredSpot | undefined> {
  const [row] = await db.statement<Row>(findStatement, [id]);
  return row && toSpot(row);
}

const serveStatement: PreparedStatement = {
  name: 'booking-queue-serve',
  text: `update booking_queue set served_at = (select now()) where id = $1 and served_at is null returning ${columns}`,
};

/**
 * Marks a spot as served, in the transaction that books for it: of simultaneous transactions one gets it.
 * @returns undefined when it was served already, or is gone
 */
export async function serveSpot(tx: Tx, id: string): Promise<StoredSpot | undefined> {
  const [row] = await queryPrepared<Row & Record<string, unknown>>(tx, serveStatement, [id]);
  return row && toSpot(row);
}

/** SQL: whether the choice `$3` is added to that of a spot that waits. */
const addsSql = `(($3::jsonb->>'keepsOthers')::boolean and ask_by > statement_timestamp())`;

// Goods are added to a spot that waits, because each has a form of its own, without the code. After a refusal the form names everything.
const rechooseSql = (assumed: AssumedDuration): string => `with
    open as (${onSaleSql('$2::uuid', assumed, '{tenant}.')}),
    spot as (
      select id, ${isOpenSql('$3::jsonb')} as is_open,
        case when ${addsSql} then jsonb_strip_nulls(jsonb_build_object('code', choice->'code')) else '{}' end as code,
        case when ${addsSql} then (
          select coalesce(jsonb_agg(line), '[]') from jsonb_array_elements(choice->'lines') as line
          where line->>'priceId' not in (select now->>'priceId' from jsonb_array_elements($3::jsonb->'lines') as now))
        else '[]' end as others
      from {tenant}.booking_queue where id = $1 and event_id = $2 and served_at is null),
    changed as (
      update {tenant}.booking_queue
      set cart_id = $4::uuid, choice = spot.code || $3::jsonb || jsonb_build_object('lines', $3::jsonb->'lines' || spot.others)
      from spot where booking_queue.id = spot.id and booking_queue.served_at is null and spot.is_open returning booking_queue.id)
    select not is_open as shut, exists (select 1 from changed) as kept from spot`;

/**
 * Keeps a spot and replaces what was chosen.
 * @returns `none` when there is no such spot that waits; `shut` when the choice is not on sale: the one before stays
 */
export async function rechoose(
  db: TenantDb,
  statements: QueueStatements,
  id: string,
  choice: DraftChoice,
  cartId: string | null,
): Promise<'kept' | 'none' | 'shut'> {
  const values = [id, choice.eventId, stored(choice), cartId];
  const [row] = await db.statement<{ shut: boolean; kept: boolean }>(statements.rechoose, values);
  if (row?.shut) return 'shut';
  return row?.kept ? 'kept' : 'none';
}

const removeStatement: PreparedStatement = {
  name: 'booking-queue-remove',
  text: 'delete from {tenant}.booking_queue where id = $1 and served_at is null',
};

/** Deletes a spot that waits. */
export async function removeSpot(db: TenantDb, id: string): Promise<void> {
  await db.statement(removeStatement, [id]);
}

const pruneStatement: PreparedStatement = {
  name: 'booking-queue-prune',
  text: 'delete from {tenant}.booking_queue where ask_by < $1',
};

/** Deletes spots whose owners went away, and served ones, so many minutes after they were expected last. */
export async function pruneSpots(db: TenantDb, minutes: number): Promise<void> {
  await db.statement(pruneStatement, [new Date(databaseNow().getTime() - minutes * 60_000)]);
}
