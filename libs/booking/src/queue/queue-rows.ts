import { databaseNow } from '#kernel';
import { queryPrepared, type PreparedStatement, type TenantDb, type Tx } from '#tenancy';
import type { DraftChoice } from '../drafts/wanted-draft.js';

/** A place to add at the end of a queue. */
export interface NewPlace {
  readonly id: string;
  /** Keyed hash. */
  readonly network: string;
  readonly choice: DraftChoice;
  readonly cartId: string | null;
  readonly arrivedAt: Date;
  readonly askBy: Date;
}

/** What one statement writes: places that are new, and those whose owners asked again. */
export interface QueueChanges {
  readonly arrivals: readonly NewPlace[];
  /** Until when the owners are expected to ask again, by the id of the place. */
  readonly asks: ReadonlyMap<string, Date>;
}

/** The queue as the statement found it, without what it wrote. */
export interface QueueRead {
  /** Ids of the places whose owners are present, first in, first out. */
  readonly present: readonly string[];
  /** Ids of the arrivals that found room. */
  readonly arrived: readonly string[];
  /** Whether the queues of the tenant are full. */
  readonly full: boolean;
}

/** A stored place. */
export interface StoredPlace {
  readonly eventId: string;
  readonly cartId: string | null;
  readonly network: string;
  readonly choice: DraftChoice;
  readonly isServed: boolean;
}

/** Limits of the queues of a tenant. */
export interface QueueLimits {
  /** Present people in all queues of the tenant. */
  readonly places: number;
  /** Present people of one network in the queue of an event. */
  readonly ofNetwork: number;
}

const isPresent = 'served_at is null and ask_by > statement_timestamp()';

// One statement for everybody who arrived or asked since the last one: in a rush a round trip for each of them would cost more than the
// bookings. It counts before it adds, so that simultaneous statements of several servers may exceed the limits by what one of them adds.
const exchangeStatement: PreparedStatement = {
  name: 'booking-queue-exchange',
  text: `with
    given as (
      select given.*, row_number() over (partition by network order by position) as of_network
      from unnest($2::uuid[], $3::text[], $4::jsonb[], $5::uuid[], $6::timestamptz[], $7::timestamptz[])
        with ordinality as given (id, network, choice, cart_id, arrived_at, ask_by, position)),
    counted as (select count(*) as present from {tenant}.booking_queue where ${isPresent}),
    arrived as (
      insert into {tenant}.booking_queue (id, event_id, network, choice, cart_id, arrived_at, ask_by)
      select given.id, $1::uuid, given.network, given.choice, given.cart_id, given.arrived_at, given.ask_by from given, counted
      where counted.present + given.position <= $10::int
        and given.of_network + (select count(*) from {tenant}.booking_queue other
          where other.event_id = $1 and other.network = given.network and ${isPresent}) <= $11::int
      returning id),
    asked as (
      update {tenant}.booking_queue set ask_by = again.ask_by
      from unnest($8::uuid[], $9::timestamptz[]) as again (id, ask_by)
      where booking_queue.id = again.id and booking_queue.event_id = $1 and booking_queue.served_at is null)
    select
      (select string_agg(id::text, ',' order by arrived_at, id) from {tenant}.booking_queue
        where event_id = $1 and ${isPresent}) as present,
      (select string_agg(id::text, ',') from arrived) as arrived,
      (select present >= $10::int from counted) as "full"`,
};

/** Adds arrivals to the queue of an event, notes who asked again, and reads the queue, in one round trip. */
export async function exchange(db: TenantDb, eventId: string, changes: QueueChanges, limits: QueueLimits): Promise<QueueRead> {
  const { arrivals, asks } = changes;
  const [read] = await db.statement<{ present: string | null; arrived: string | null; full: boolean }>(exchangeStatement, [
    eventId,
    arrivals.map(({ id }) => id),
    arrivals.map(({ network }) => network),
    arrivals.map(({ choice }) => stored(choice)),
    arrivals.map(({ cartId }) => cartId),
    arrivals.map(({ arrivedAt }) => arrivedAt),
    arrivals.map(({ askBy }) => askBy),
    [...asks.keys()],
    [...asks.values()],
    limits.places,
    limits.ofNetwork,
  ]);
  return { present: idsIn(read?.present), arrived: idsIn(read?.arrived), full: read?.full ?? false };
}

const idsIn = (text: string | null | undefined): string[] => (text ? text.split(',') : []);

const stored = ({ lines, options, keepsOthers }: DraftChoice): string => JSON.stringify({ lines, options, keepsOthers });

interface Row {
  readonly eventId: string;
  readonly cartId: string | null;
  readonly network: string;
  readonly choice: Omit<DraftChoice, 'eventId'>;
  readonly isServed: boolean;
}

const columns = `event_id as "eventId", cart_id as "cartId", network, choice, served_at is not null as "isServed"`;

const toPlace = ({ choice, ...row }: Row): StoredPlace => ({ ...row, choice: { ...choice, eventId: row.eventId } });

const findStatement: PreparedStatement = {
  name: 'booking-queue-find',
  text: `select ${columns} from {tenant}.booking_queue where id = $1`,
};

/** @returns undefined when there is no such place (any more) */
export async function findPlace(db: TenantDb, id: string): Promise<StoredPlace | undefined> {
  const [row] = await db.statement<Row>(findStatement, [id]);
  return row && toPlace(row);
}

const serveStatement: PreparedStatement = {
  name: 'booking-queue-serve',
  text: `update booking_queue set served_at = (select now()) where id = $1 and served_at is null returning ${columns}`,
};

/**
 * Marks a place as served, in the transaction that books for it: of simultaneous transactions one gets it.
 * @returns undefined when it was served already, or is gone
 */
export async function servePlace(tx: Tx, id: string): Promise<StoredPlace | undefined> {
  const [row] = await queryPrepared<Row & Record<string, unknown>>(tx, serveStatement, [id]);
  return row && toPlace(row);
}

const rechooseStatement: PreparedStatement = {
  name: 'booking-queue-rechoose',
  text: `update {tenant}.booking_queue set choice = $3::jsonb, cart_id = $4::uuid
    where id = $1 and event_id = $2 and served_at is null returning id`,
};

/** Keeps a place and replaces what was chosen. @returns false when there is no such place that waits */
export async function rechoose(db: TenantDb, id: string, choice: DraftChoice, cartId: string | null): Promise<boolean> {
  const rows = await db.statement(rechooseStatement, [id, choice.eventId, stored(choice), cartId]);
  return rows.length > 0;
}

const pruneStatement: PreparedStatement = {
  name: 'booking-queue-prune',
  text: 'delete from {tenant}.booking_queue where ask_by < $1',
};

/** Deletes places whose owners went away, and served ones, so many minutes after they were expected last. */
export async function prunePlaces(db: TenantDb, minutes: number): Promise<void> {
  await db.statement(pruneStatement, [new Date(databaseNow().getTime() - minutes * 60_000)]);
}
