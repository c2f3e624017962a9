import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EventProjections, isShownSql, saleStateSql } from '#catalogue';
import { JobsService } from '#jobs';
import type { Tx } from '#tenancy';
import { waitingListJob } from '../booking-jobs.js';
import { freePlacesSql, ownFreePlacesSql, sharingSql } from '../places/free-places.js';
import { heldTickets, lapsedSql } from '../places/taken.js';

/** SQL: whether an entry waits. The index of a list has the entries that have not ended. @param entry alias of its row */
export const waitsStillSql = (entry: string): string => `(${entry}.status = 'waiting' and ${entry}.ended_at is null)`;

/** SQL: whether somebody waits for places of the event. One look at a partial index that is empty for most events. */
export function anybodyWaitsSql(eventId: string, prefix = ''): string {
  return `exists (select 1 from ${prefix}waiting_entry waits where waits.event_id = ${eventId} and ${waitsStillSql('waits')})`;
}

/**
 * SQL: whether somebody waits in the queue of an event. `ask_by` of those who went away is over.
 * @param eventId SQL of the event's id
 */
export const somebodyQueuesSql = (eventId: string): string => `exists (select 1 from booking_queue waits
  where waits.event_id = ${eventId} and waits.served_at is null and waits.ask_by > statement_timestamp())`;

/** SQL: number of people who wait for places of an event and come first until it begins. @param event alias of its row */
export const waitingCountSql = (event: string): string => `(select count(*)::int from waiting_entry waits
  where waits.event_id = ${event}.id and ${waitsStillSql('waits')} and ${event}.starts_at > statement_timestamp())`;

/** Whether anybody waits for places of the event. */
export async function anybodyWaits(tx: Tx, eventId: string): Promise<boolean> {
  const [row] = await tx.query<{ waits: boolean }[]>(`select ${anybodyWaitsSql('$1')} as waits`, [eventId]);
  return row?.waits === true;
}

/** Seconds of a round: after them a list is looked at again without a signal, for example because a price got more stock. */
export const roundSeconds = 300;

/**
 * SQL: whether the list waits no more for an entry that wanted more than was free: a round is over since then.
 * @param entry alias of its row
 */
export const passedSql = (entry: string): string =>
  `coalesce(${entry}.short_since <= statement_timestamp() - interval '${roundSeconds} seconds', false)`;

/** SQL: the entries that wait, as `waits`, with price, product and counter. */
const waitsSql = (prefix: string): string => `${prefix}waiting_entry waits
    join ${prefix}price waits_price on waits_price.id = waits.price_id
    join ${prefix}product waits_product on waits_product.id = waits_price.product_id
    left join ${prefix}event_price waits_counter on waits_counter.event_id = waits.event_id and waits_counter.price_id = waits.price_id`;

/** SQL: the price of an entry is sold, and only places of its event are too few. */
const lacksPlacesSql = `(${isShownSql('waits_price')} and waits_product.published
    and (waits_price.stock is null or coalesce(waits_counter.sold, 0) + waits.quantity <= waits_price.stock))`;

/** SQL: whether the list has not passed an entry that wanted more than was free, or enough is free now. */
function countsStillSql(event: string, prefix: string): string {
  const lapsed = heldTickets(`ticket.event_id = ${event}.id and ticket.price_id = waits.price_id`, lapsedSql, prefix);
  const stock = `waits_price.stock - coalesce(waits_counter.sold, 0) + ${lapsed}`;
  return `(not ${passedSql('waits')} or waits.quantity <= least(${freePlacesSql(event, prefix)}, ${stock}))`;
}

/**
 * SQL: whether the waiting list has precedence for places at a price: somebody waits for this price, or for another one that only lacks
 * places of the event. Somebody whose own price is sold out does not keep others from other prices, and an entry that the list has passed
 * keeps nobody from places that are too few for it. From the event's start on, nobody has precedence. Where dates share places, the lists
 * of the others come first, too, for whom their own date has places.
 * @param event alias of its row
 * @param priceId SQL of the price's id
 */
export function waitedForSql(event: string, priceId: string, prefix = ''): string {
  return `(exists (select 1 from ${waitsSql(prefix)}
    where waits.event_id = ${event}.id and ${waitsStillSql('waits')} and ${event}.starts_at > statement_timestamp()
    and (waits.price_id = ${priceId} or ${lacksPlacesSql}) and ${countsStillSql(event, prefix)})
  or ${event}.series_id is not null and exists (select 1 from ${waitsSql(prefix)} join ${prefix}event other on other.id = waits.event_id
    where waits.event_id in (${sharingSql(event, prefix)}) and waits.event_id <> ${event}.id and ${waitsStillSql('waits')}
    and other.published and other.starts_at > statement_timestamp() and ${lacksPlacesSql} and ${saleStateSql('waits_price')} = 'open'
    and waits.quantity <= ${ownFreePlacesSql('other', prefix)} and ${countsStillSql('other', prefix)}))`;
}

/** SQL: what changes in an entry that ends. @param status SQL of its state */
export const endsEntrySql = (status: string): string => `status = ${status}, network = null, ended_at = coalesce(ended_at, (select now()))`;

/**
 * SQL: ends the proposals that these drafts and reservations were made of, because they lost their seats before they were paid or
 * confirmed. Their events are locked.
 * @param ids SQL of their ids, an array
 */
export const proposalsLostSql = (ids: string): string => `update waiting_entry set ${endsEntrySql(`'expired'`)}
  where reservation_id = any(${ids}::uuid[]) and status in ('offered', 'booked')`;

/** Ends the proposal that a draft or reservation was made of, see `proposalsLostSql`. */
export async function proposalLost(tx: Tx, reservationId: string): Promise<void> {
  await tx.query(proposalsLostSql('$1'), [[reservationId]]);
}

/** A reservation whose proposal had ended got its seats again, because it was paid or confirmed late. */
export async function proposalTakenLate(tx: Tx, reservationId: string): Promise<void> {
  await tx.query(`update waiting_entry set status = 'booked' where reservation_id = $1 and status = 'expired'`, [reservationId]);
}

/** Wakes the waiting list of an event whose places may have become free. */
@Injectable()
export class WaitingSignal implements OnModuleInit {
  constructor(
    private readonly jobs: JobsService,
    private readonly projections: EventProjections,
  ) {}

  /** A changed event may have more places, another start, or none at all. */
  onModuleInit(): void {
    this.projections.add(async (tx, ids) => {
      for (const id of ids) await this.freed(tx, id);
    });
  }

  /**
   * Call it in each transaction that frees places or stock of an event. Wakes also the lists of the dates that share its places, those
   * first that somebody waits longest for. Does nothing when nobody waits.
   */
  async freed(tx: Tx, eventId: string): Promise<void> {
    const dates = await tx.query<{ id: string }[]>(
      `select waits.event_id as id from waiting_entry waits where ${waitsStillSql('waits')} and waits.event_id in (
         select $1::uuid union all select dates.id from event one, lateral (${sharingSql('one')}) dates where one.id = $1)
       group by 1 order by min(waits.confirmed_at), 1`,
      [eventId],
    );
    for (const { id } of dates) await this.jobs.add(tx, waitingListJob, id);
  }
}
