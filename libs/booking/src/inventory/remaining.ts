import { isKindSql } from '#catalogue';
import type { Tx } from '#tenancy';

/** SQL: a ticket counts unless it is cancelled, or its hold is over and gave back what it had taken. */
export const countsSql = `ticket.status <> 'R' and reservation.released_at is null`;
/** SQL: a hold that is over and still in the counters. */
export const lapsedSql = `reservation.status in ('R', 'U', 'F') and reservation.expires_at <= statement_timestamp()
  and reservation.released_at is null`;

/**
 * SQL of the number of tickets of holds that are over and still in the counters. Whoever shows what is left adds them: they are free at
 * once, whether or not a job has run.
 * @param condition on `ticket`
 * @param prefix stands before the names of tables, in statements for the door `{tenant}.`
 */
function lapsedTickets(condition: string, prefix: string): string {
  return `(select count(*)::int from ${prefix}ticket join ${prefix}reservation on reservation.id = ticket.reservation_id
    where ${condition} and ticket.status <> 'R' and ${lapsedSql})`;
}

const lapsedPlaces = (event: string, prefix: string): string => lapsedTickets(`ticket.event_id = ${event}.id and ticket.admission`, prefix);

/** SQL of the places that are taken of an event. @param event the alias of its row */
export function takenPlacesSql(event: string, prefix = ''): string {
  return `(${event}.booked - ${lapsedPlaces(event, prefix)})`;
}

/** SQL: whether no place is left of an event. Holds are counted only when the counter says so. */
export function fullSql(event: string, prefix = ''): string {
  return `(${event}.booked >= ${event}.capacity and ${takenPlacesSql(event, prefix)} >= ${event}.capacity)`;
}

/** The aliases of the rows that the stock of a price depends on. */
interface StockRows {
  readonly event: string;
  readonly price: string;
  readonly product: string;
}

/** Of admission each event has its own stock; of everything else there is one. */
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

/** SQL of what is left of the stock of a price for an event; null: no limit. Negative when the stock was lowered below what is sold. */
export function freeStockSql(rows: StockRows, prefix = ''): string {
  const { counted, lapsed } = perKind(rows, prefix);
  return `case when ${rows.price}.stock is not null then ${rows.price}.stock - (${counted}) + (${lapsed}) end`;
}

/** SQL: whether a price cannot be had for an event. Holds are counted only when the counters say that nothing is left. */
export function soldOutSql(rows: StockRows, prefix = ''): string {
  const { event, price, product } = rows;
  const { counted, lapsed } = perKind(rows, prefix);
  const noStock = `coalesce((${counted}) >= ${price}.stock and (${counted}) - (${lapsed}) >= ${price}.stock, false)`;
  return `(${noStock} or (${isKindSql(`${product}.category`, 'admission')} and ${fullSql(event, prefix)}))`;
}

/** What is left of a price, at one moment. */
export interface FreeStock {
  readonly priceId: string;
  readonly name: string;
  /** null: no limit. */
  readonly stock: number | null;
  /** Whether it also needs a place of the event. */
  readonly admits: boolean;
}

/** What is left of an event and of these prices, with what holds that are over keep counted as free. */
export interface Left {
  readonly places: number;
  readonly prices: readonly FreeStock[];
}

/** What is left of an event and of these prices, in the order of the ids as given, at one moment. */
export async function leftOf(tx: Tx, eventId: string, priceIds: readonly string[]): Promise<Left> {
  const rows = await tx.query<(FreeStock & { places: number })[]>(
    `select price.id as "priceId", price.name, ${isKindSql('product.category', 'admission')} as admits,
       event.capacity - ${takenPlacesSql('event')} as places, ${freeStockSql({ event: 'event', price: 'price', product: 'product' })} as stock
     from event cross join price join product on product.id = price.product_id where event.id = $1 and price.id = any($2)`,
    [eventId, priceIds],
  );
  const byId = new Map(rows.map((row) => [row.priceId, row]));
  return { places: rows[0]?.places ?? 0, prices: priceIds.flatMap((id) => byId.get(id) ?? []) };
}

/** How many of a price can be had: the places of the event and its stock decide. null: any number. */
export function remainingOf(price: Pick<FreeStock, 'stock' | 'admits'>, places: number): number | null {
  if (!price.admits) return price.stock === null ? null : Math.max(0, price.stock);
  return Math.max(0, Math.min(places, price.stock ?? places));
}
