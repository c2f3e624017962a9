import { isKindSql } from '#catalogue';
import type { Tx } from '#tenancy';
import { waitedForSql } from './waiting.js';

/** SQL: whether a ticket counts: not cancelled, and its reservation's places were not released. */
export const countsSql = `ticket.status <> 'R' and reservation.released_at is null`;
/** SQL: whether a reservation is an expired hold that the counters still include. */
export const lapsedSql = `reservation.status in ('R', 'U', 'F') and reservation.expires_at <= statement_timestamp()
  and reservation.released_at is null`;

/**
 * SQL: number of tickets of expired holds that the counters still include. Add it to what is left: expired places are free at once, whether
 * or not a job has run.
 * @param condition SQL condition on `ticket`
 * @param prefix precedes the table names; `{tenant}.` in the prepared statements for scanning
 */
function lapsedTickets(condition: string, prefix: string): string {
  return `(select count(*)::int from ${prefix}ticket join ${prefix}reservation on reservation.id = ticket.reservation_id
    where ${condition} and ticket.status <> 'R' and ${lapsedSql})`;
}

const lapsedPlaces = (event: string, prefix: string): string => lapsedTickets(`ticket.event_id = ${event}.id and ticket.admission`, prefix);

/** SQL: number of taken places of an event. @param event alias of its row */
export function takenPlacesSql(event: string, prefix = ''): string {
  return `(${event}.booked - ${lapsedPlaces(event, prefix)})`;
}

/** SQL: whether an event has no free place. Counts expired holds only when the counter has reached the capacity. */
export function fullSql(event: string, prefix = ''): string {
  return `(${event}.booked >= ${event}.capacity and ${takenPlacesSql(event, prefix)} >= ${event}.capacity)`;
}

/** Aliases of the rows that determine the stock of a price. */
interface StockRows {
  readonly event: string;
  readonly price: string;
  readonly product: string;
}

/** SQL of the counter and of the expired holds of a price: per event for admission, over all events for everything else. */
function perKind({ event, price, product }: StockRows, prefix: string): { counted: string; lapsed: string } {
  const admits = isKindSql(`${product}.category`, 'admission');
  const ofPrice = `ticket.price_id = ${price}.id`;
  const counter = `(select counter.sold from ${prefix}event_price counter
    where counter.event_id = ${event}.id and counter.price_id = ${price}.id)`;
  const lapsedHere = lapsedTickets(`ticket.event_id = ${event}.id and ${ofPrice} and ticket.admission`, prefix);
  const lapsedAnywhere = lapsedTickets(`${ofPrice} and not ticket.admission`, prefix);
  return {
    counted: `case when ${admits} then coalesce(${counter}, 0) else ${price}.sold end`,
    lapsed: `case when ${admits} then ${lapsedHere} else ${lapsedAnywhere} end`,
  };
}

/** SQL: whether free places at a price belong to the waiting list of the event. */
function keptForListSql({ event, price, product }: StockRows, prefix: string): string {
  return `(${isKindSql(`${product}.category`, 'admission')} and ${waitedForSql(event, `${price}.id`, prefix)})`;
}

/**
 * SQL: remaining stock of a price for an event; null: no limit. 0 while people on the waiting list have precedence. Negative when the stock
 * was lowered below the sold quantity.
 */
export function freeStockSql(rows: StockRows, prefix = ''): string {
  const { counted, lapsed } = perKind(rows, prefix);
  return `case when ${keptForListSql(rows, prefix)} then 0
    when ${rows.price}.stock is not null then ${rows.price}.stock - (${counted}) + (${lapsed}) end`;
}

/**
 * SQL: whether a price is sold out for an event, or kept for its waiting list. Counts expired holds only when the counters have reached the
 * limit.
 */
export function soldOutSql(rows: StockRows, prefix = ''): string {
  const { event, price, product } = rows;
  const { counted, lapsed } = perKind(rows, prefix);
  const noStock = `coalesce((${counted}) >= ${price}.stock and (${counted}) - (${lapsed}) >= ${price}.stock, false)`;
  const full = `(${isKindSql(`${product}.category`, 'admission')} and ${fullSql(event, prefix)})`;
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
  const places = (taken: string): string =>
    `case when ${isKindSql(`${product}.category`, 'admission')} then ${event}.capacity - ${taken} end`;
  const roughly = `least(${price}.stock - (${counted}), ${places(`${event}.booked`)})`;
  const exactly = `least(${freeStockSql(rows, prefix)}, ${places(takenPlacesSql(event, prefix))})`;
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
  readonly prices: readonly FreeStock[];
}

/** Reads free places and remaining stock in one statement; prices in the order of `priceIds`. */
export async function leftOf(tx: Tx, eventId: string, priceIds: readonly string[]): Promise<Left> {
  const rows = await tx.query<(FreeStock & { places: number })[]>(
    `select price.id as "priceId", price.name, ${isKindSql('product.category', 'admission')} as admits,
       event.capacity - ${takenPlacesSql('event')} as places,
       ${freeStockSql({ event: 'event', price: 'price', product: 'product' })} as stock
     from event cross join price join product on product.id = price.product_id where event.id = $1 and price.id = any($2)`,
    [eventId, priceIds],
  );
  const byId = new Map(rows.map((row) => [row.priceId, row]));
  return { places: rows[0]?.places ?? 0, prices: priceIds.flatMap((id) => byId.get(id) ?? []) };
}

/** Quantity of a price that can be booked, limited by its stock and, for admission, by the event's places; null: no limit. */
export function remainingOf(price: Pick<FreeStock, 'stock' | 'admits'>, places: number): number | null {
  if (!price.admits) return price.stock === null ? null : Math.max(0, price.stock);
  return Math.max(0, Math.min(places, price.stock ?? places));
}
