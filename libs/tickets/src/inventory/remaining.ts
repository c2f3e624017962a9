import { isKindSql } from '#catalogue';
import type { Tx } from '#tenancy';
import { freePlacesSql, fullSql, openPlacesSql, ownFreePlacesSql } from '../places/free-places.js';
import { heldSql, heldTickets, lapsedSql } from '../places/taken.js';
import { waitedForSql } from './waiting.js';

/** SQL: whether a ticket counts: not cancelled, and its reservation's places were not released. */
export const countsSql = `ticket.status <> 'R' and reservation.released_at is null`;

/** Aliases of the rows that determine the stock of a price. */
interface StockRows {
  readonly event: string;
  readonly price: string;
  readonly product: string;
}

/** SQL of the counter and of the holds of a price: per event for admission, over all events for everything else. */
function perKind({ event, price, product }: StockRows, prefix: string, holds = lapsedSql): { counted: string; held: string } {
  const admits = isKindSql(`${product}.category`, 'admission');
  const ofPrice = `ticket.price_id = ${price}.id`;
  const counter = `(select counter.sold from ${prefix}event_price counter
    where counter.event_id = ${event}.id and counter.price_id = ${price}.id)`;
  const heldHere = heldTickets(`ticket.event_id = ${event}.id and ${ofPrice} and ticket.admission`, holds, prefix);
  const heldAnywhere = heldTickets(`${ofPrice} and not ticket.admission`, holds, prefix);
  return {
    counted: `case when ${admits} then coalesce(${counter}, 0) else ${price}.sold end`,
    held: `case when ${admits} then ${heldHere} else ${heldAnywhere} end`,
  };
}

/** SQL: whether free places at a price belong to the waiting list of the event. */
function keptForListSql({ event, price, product }: StockRows, prefix: string): string {
  return `(${isKindSql(`${product}.category`, 'admission')} and ${waitedForSql(event, `${price}.id`, prefix)})`;
}

/**
 * SQL: remaining stock of a price for an event; null: no limit. 0 while people on the waiting list have precedence. Negative when the stock
 * was lowered below the sold quantity.
 * @param passesList SQL: whether it does not matter who waits
 */
export function freeStockSql(rows: StockRows, prefix = '', passesList = 'false'): string {
  const { counted, held } = perKind(rows, prefix);
  return `case when not ${passesList} and ${keptForListSql(rows, prefix)} then 0
    when ${rows.price}.stock is not null then ${rows.price}.stock - (${counted}) + (${held}) end`;
}

/**
 * SQL: whether a price is sold out for an event, or kept for its waiting list. Counts expired holds only when the counters have reached the
 * limit.
 */
export function soldOutSql(rows: StockRows, prefix = ''): string {
  return goneSql(rows, prefix, lapsedSql);
}

/**
 * SQL: the same without what buyers on the pages only hold, who neither paid nor confirmed yet. This opens a waiting list: otherwise
 * anybody could open it with holds, and be the first.
 */
export function soldForGoodSql(rows: StockRows, prefix = ''): string {
  return goneSql(rows, prefix, `(${lapsedSql} or ${heldSql})`);
}

/** @param holds that do not count, as for `heldTickets` */
function goneSql(rows: StockRows, prefix: string, holds: string): string {
  const { event, price, product } = rows;
  const { counted, held } = perKind(rows, prefix, holds);
  // A comparison with null would not end the condition: holds would be counted at each price without a limit.
  const noStock = `(${price}.stock is not null and (${counted}) >= ${price}.stock and (${counted}) - (${held}) >= ${price}.stock)`;
  const full = `(${isKindSql(`${product}.category`, 'admission')} and ${fullSql(event, prefix, holds)})`;
  return `(${noStock} or ${full} or ${keptForListSql(rows, prefix)})`;
}

/**
 * SQL: what is left of a price for an event, including its places. Expired holds are counted only when at most `near` are left without
 * them; so a larger number may be too small. null: no limit.
 * @param near SQL
 */
export function roughlyLeftSql(rows: StockRows, near: string, prefix = ''): string {
  const { event, price, product } = rows;
  const { counted } = perKind(rows, prefix);
  const places = (free: string): string => `case when ${isKindSql(`${product}.category`, 'admission')} then ${free} end`;
  const roughly = `least(${price}.stock - (${counted}), ${places(openPlacesSql(event, prefix))})`;
  const exactly = `least(${freeStockSql(rows, prefix)}, ${places(freePlacesSql(event, prefix))})`;
  return `greatest(0, case when ${roughly} <= ${near} then ${exactly} else ${roughly} end)`;
}

/** Remaining stock of a price. */
export interface FreeStock {
  readonly priceId: string;
  readonly name: string;
  /** null: no limit. */
  readonly stock: number | null;
  /** Whether it also needs a place of the event. */
  readonly admits: boolean;
}

/** Free places of an event and remaining stock of prices; expired holds count as free. */
export interface Left {
  readonly places: number;
  /** The same without the places that other dates of its series have taken of what they share. */
  readonly ownPlaces: number;
  readonly prices: readonly FreeStock[];
}

/**
 * Reads free places and remaining stock in one statement; prices in the order of `priceIds`.
 * @param passesList also what people on the waiting list come first for
 */
export async function leftOf(tx: Tx, eventId: string, priceIds: readonly string[], passesList = false): Promise<Left> {
  const rows = await tx.query<(FreeStock & Pick<Left, 'places' | 'ownPlaces'>)[]>(
    `select price.id as "priceId", price.name, ${isKindSql('product.category', 'admission')} as admits,
       ${freePlacesSql('event')} as places, ${ownFreePlacesSql('event')} as "ownPlaces",
       ${freeStockSql({ event: 'event', price: 'price', product: 'product' }, '', '$3::boolean')} as stock
     from event cross join price join product on product.id = price.product_id where event.id = $1 and price.id = any($2)`,
    [eventId, priceIds, passesList],
  );
  const byId = new Map(rows.map((row) => [row.priceId, row]));
  const { places = 0, ownPlaces = 0 } = rows[0] ?? {};
  return { places, ownPlaces, prices: priceIds.flatMap((id) => byId.get(id) ?? []) };
}

/** Quantity of a price that can be booked, limited by its stock and, for admission, by the event's places; null: no limit. */
export function remainingOf(price: Pick<FreeStock, 'stock' | 'admits'>, places: number): number | null {
  if (!price.admits) return price.stock === null ? null : Math.max(0, price.stock);
  return Math.max(0, Math.min(places, price.stock ?? places));
}
