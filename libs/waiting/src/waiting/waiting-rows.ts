import { capacitySql, openPlacesSql, soldForGoodSql, passedSql, waitsStillSql } from '#tickets';
import { isShownSql, isKindSql, soldForEventsSql } from '#catalogue';
import type { Language, Settings } from '#kernel';
import type { Tx } from '#tenancy';
import type { WaitingStatus } from './waiting-entry.entity.js';

/** An entry with what its page and its mails show. */
export interface ShownEntry {
  readonly id: string;
  readonly eventId: string;
  readonly priceId: string;
  readonly email: string;
  readonly emailKey: string;
  readonly language: Language | null;
  readonly quantity: number;
  readonly status: WaitingStatus;
  readonly reservationId: string | null;
  readonly offeredUntil: Date | null;
  /** Of a booking that its person has to pay online: the end of its hold, and its sum; null for every other one. */
  readonly unpaidUntil: Date | null;
  readonly unpaidAmount: string | null;
  /** Name of the price. */
  readonly price: string;
  readonly product: string;
  /** Amount for each place, decimal text. */
  readonly amount: string;
  readonly freeAmount: boolean;
  /** The code that the person gave. */
  readonly code: string | null;
  /** Whether the places that are proposed use it. */
  readonly usesCode: boolean;
  /** What the places that are proposed, or booked and unpaid, cost in all, decimal text; null: nothing is held. */
  readonly heldAmount: string | null;
  readonly event: {
    readonly id: string;
    readonly slug: string;
    readonly name: string;
    readonly startsAt: Date;
    readonly endsAt: Date | null;
  };
}

/** What is said of the code of an entry; undefined: nothing, because there is none or the booking does not use it. */
export function codeStateOf(entry: Pick<ShownEntry, 'code' | 'usesCode' | 'heldAmount' | 'status'>): 'kept' | 'used' | 'gone' | undefined {
  const { code, usesCode, heldAmount, status } = entry;
  if (code === null) return undefined;
  if (usesCode) return 'used';
  if (heldAmount !== null) return status === 'offered' ? 'gone' : undefined;
  return status === 'booked' ? undefined : 'kept';
}

/** @returns undefined when there is no such entry (any more) */
export async function loadEntry(tx: Tx, id: string): Promise<ShownEntry | undefined> {
  const [entry] = await tx.query<ShownEntry[]>(
    `select entry.id, entry.event_id as "eventId", entry.price_id as "priceId", entry.email, entry.email_key as "emailKey",
       entry.language, entry.quantity, entry.status, entry.reservation_id as "reservationId", entry.offered_until as "offeredUntil",
       price.name as price, product.name as product, price.amount::text as amount, price.free_amount as "freeAmount",
       entry.code, held.amount::text as "heldAmount",
       exists (select from order_line join code_use used on used.line_id = order_line.id where order_line.reservation_id = held.id)
         as "usesCode", unpaid.expires_at as "unpaidUntil", unpaid.amount::text as "unpaidAmount"
     from waiting_entry entry join price on price.id = entry.price_id join product on product.id = price.product_id
     left join reservation held on held.id = entry.reservation_id and held.released_at is null
     left join reservation unpaid on unpaid.id = entry.reservation_id and not unpaid.is_draft and unpaid.status in ('R', 'U')
       and not unpaid.pay_at_venue
       and not exists (select 1 from payment where payment.reservation_id = unpaid.id and payment.status = 'processing')
     where entry.id = $1`,
    [id],
  );
  if (!entry) return undefined;
  const [event] = await tx.query<ShownEntry['event'][]>(
    'select id, slug, name, starts_at as "startsAt", ends_at as "endsAt" from event where id = $1',
    [entry.eventId],
  );
  return event && { ...entry, event };
}

/** Locks an entry whose event is locked. @returns undefined when there is none */
export async function lockEntry(
  tx: Tx,
  id: string,
): Promise<{ readonly status: WaitingStatus; readonly reservationId: string | null } | undefined> {
  const [row] = await tx.query<{ status: WaitingStatus; reservationId: string | null }[]>(
    'select status, reservation_id as "reservationId" from waiting_entry where id = $1 for no key update',
    [id],
  );
  return row;
}

/** The most places that one entry may ask for; less where event or price has a lower maximum per person. */
export const mostPlaces = 4;

/** A price whose waiting list can be joined. */
export interface WaitingPrice {
  readonly isOpen: boolean;
  /** Maximum number of places of one entry; at least 1. */
  readonly maximum: number;
}

/** @returns undefined when the event has no waiting list at this price: not public, begun, or not sold */
export async function waitingPrice(tx: Tx, eventId: string, priceId: string): Promise<WaitingPrice | undefined> {
  const [row] = await tx.query<WaitingPrice[]>(
    `select ${soldForGoodSql({ event: 'event', price: 'price', product: 'product' })} as "isOpen",
       greatest(1, least($3::int, event.max_per_user, price.max_per_user, ${capacitySql('event')}, price.stock)) as maximum
     from event join ${soldForEventsSql()} sold on sold.event_id = event.id
     join product on product.id = sold.product_id and product.published and ${isKindSql('product.category', 'admission')}
     join price on price.product_id = product.id and ${isShownSql('price')} and not price.whole_series
     where event.id = $1 and price.id = $2 and event.published and ${capacitySql('event')} > 0 and event.starts_at > statement_timestamp()`,
    [eventId, priceId, mostPlaces],
  );
  return row;
}

/** The next of a list, with what is left for it under the event's lock. */
export interface NextEntry {
  readonly id: string;
  readonly priceId: string;
  readonly email: string;
  readonly code: string | null;
  readonly quantity: number;
  /** Until when a proposal that is made now holds its seats: at the latest when the event begins. */
  readonly endsAt: Date;
  /** Free places of the event, also of those that it shares. */
  readonly places: number;
  /** The same, or what is left of the price when that is less. */
  readonly left: number;
}

/**
 * SQL: what is left for an entry `entry` of the locked `event`, at its `price` of `product`, whose `counter` may be null. Nothing at a
 * price that is not sold.
 */
const leftSql = `(case when ${isShownSql('price')} and product.published
  then least(${openPlacesSql('event')}, price.stock - coalesce(counter.sold, 0)) else 0 end)`;

/** SQL: how many places an entry gets: not more than one person may have now. */
const wantedSql = 'least(entry.quantity, event.max_per_user, price.max_per_user)';

const waitingSql = `waiting_entry entry join event on event.id = entry.event_id join price on price.id = entry.price_id
  join product on product.id = price.product_id
  left join event_price counter on counter.event_id = entry.event_id and counter.price_id = entry.price_id
  where entry.event_id = $1 and ${waitsStillSql('entry')}`;

/**
 * @param which the first of the list that something is left for, except those of the prices in `passed` and those that the list passes
 *   because they want more; or one entry
 * @returns undefined when nobody waits
 */
export async function nextEntry(
  tx: Tx,
  eventId: string,
  which: { readonly passed: readonly string[] } | { readonly id: string },
  { offerMinutes }: Pick<Settings, 'offerMinutes'>,
): Promise<NextEntry | undefined> {
  const [row] = await tx.query<NextEntry[]>(
    `select entry.id, entry.price_id as "priceId", entry.email, entry.code, ${wantedSql} as quantity,
       least(now() + make_interval(mins => $4::int), event.starts_at) as "endsAt",
       ${openPlacesSql('event')} as places, ${leftSql} as left
     from ${waitingSql} and not (entry.price_id = any($2::uuid[]))
       and case when $3::uuid is null then ${leftSql} > 0 and (${wantedSql} <= ${leftSql} or not ${passedSql('entry')})
         else entry.id = $3::uuid end
     order by entry.confirmed_at, entry.id limit 1`,
    [eventId, 'passed' in which ? which.passed : [], 'id' in which ? which.id : null, offerMinutes],
  );
  return row;
}

/** Notes for whom too few places are free now, though some are: after a round, the list passes these entries. */
export async function noteShort(tx: Tx, eventId: string): Promise<void> {
  await tx.query(
    `update waiting_entry set short_since = statement_timestamp() where id in
       (select entry.id from ${waitingSql} and entry.short_since is null and ${leftSql} > 0 and ${wantedSql} > ${leftSql})`,
    [eventId],
  );
}
