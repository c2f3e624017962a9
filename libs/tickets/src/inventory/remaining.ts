import { isKindSql } from '#catalogue';
import type { Tx } from '#tenancy';
import { keptPlacesSql } from '../places/code-uses.js';
import { freePlacesSql, openPlacesSql, ownFreePlacesSql } from '../places/free-places.js';
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

/** SQL: the holds of a price of goods, over all events. */
const heldGoodsSql = (price: string, prefix: string, holds = lapsedSql): string =>
  heldTickets(`ticket.price_id = ${price}.id and not ticket.admission`, holds, prefix);

/** SQL: remaining stock of a price of goods, over all events; null: no limit. @param price alias of its row */
export const freeGoodsSql = (price: string): string =>
  `case when ${price}.stock is not null then ${price}.stock - ${price}.sold + ${heldGoodsSql(price, '')} end`;

/** SQL of the counter and of the holds of a price: per event for admission, over all events for everything else. */
function perKind({ event, price, product }: StockRows, prefix: string, holds = lapsedSql): { counted: string; held: string } {
  const admits = isKindSql(`${product}.category`, 'admission');
  const counter = `(select counter.sold from ${prefix}event_price counter
    where counter.event_id = ${event}.id and counter.price_id = ${price}.id)`;
  const heldHere = heldTickets(`ticket.event_id = ${event}.id and ticket.price_id = ${price}.id and ticket.admission`, holds, prefix);
  return {
    counted: `case when ${admits} then coalesce(${counter}, 0) else ${price}.sold end`,
    held: `case when ${admits} then ${heldHere} else ${heldGoodsSql(price, prefix, holds)} end`,
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
 * SQL, a subquery of one row: the sale of a price for an event.
 * - `sold_out`: nothing is left, or it is kept for the waiting list
 * - `gone`: the same without what buyers on the pages only hold, who neither paid nor confirmed yet. This opens a waiting list: otherwise
 *   anybody could open it with holds, and be the first
 * - `tickets_left`: including the places of the event; null: no limit. Expired holds are counted only when at most `near` are left without
 *   them; so a larger number may be too small
 *
 * Each level reads what the next one needs several times; `offset 0` keeps the planner from copying it there.
 * @param near SQL, at least 0
 */
export function saleSql(rows: StockRows, near: string, prefix = ''): string {
  const { event, price, product } = rows;
  const admits = isKindSql(`${product}.category`, 'admission');
  const byCounters = `select ${perKind(rows, prefix).counted} as counted,
    case when ${admits} then ${openPlacesSql(event, prefix)} end as open,
    ${keptForListSql(rows, prefix)} as waited_for offset 0`;
  const stock = (holds: string): string =>
    `case when ${price}.stock is not null then ${price}.stock - counted + (${perKind(rows, prefix, holds).held}) end`;
  const places = (holds: string): string => `case when ${admits} then ${freePlacesSql(event, prefix, holds)} end`;
  const roughly = `least(${price}.stock - counted, open)`;
  const exactly = `least(case when waited_for then 0 else ${stock(lapsedSql)} end, ${places(lapsedSql)})`;
  const withHolds = `select waited_for, counted, case when ${roughly} <= ${near} then ${exactly} else ${roughly} end as rest
    from (${byCounters}) counters offset 0`;
  const isOver = `coalesce(rest <= 0, false)`;
  const forGood = `(${lapsedSql} or ${heldSql})`;
  return `(select waited_for or ${isOver} as sold_out,
      waited_for or ${isOver} and least(${stock(forGood)}, ${places(forGood)}) <= 0 as gone,
      case when rest is not null then greatest(0, rest) end as tickets_left
    from (${withHolds}) sale offset 0)`;
}

/** SQL: whether a price is sold out for an event, or kept for its waiting list: `sold_out` of `saleSql`. */
export function soldOutSql(rows: StockRows, prefix = ''): string {
  return `(select sold_out from ${saleSql(rows, '0', prefix)} sale)`;
}

/** SQL: the same without what buyers on the pages only hold: `gone` of `saleSql`. */
export function soldForGoodSql(rows: StockRows, prefix = ''): string {
  return `(select gone from ${saleSql(rows, '0', prefix)} sale)`;
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
  /** Those of `places` that a code keeps. */
  readonly kept: number;
  readonly prices: readonly FreeStock[];
}

/**
 * Reads free places and remaining stock in one statement; prices in the order of `priceIds`.
 * @param passesList also what people on the waiting list come first for
 * @param code a code whose reserved places count as free, and a reservation whose own uses of it do not count
 */
export async function leftOf(
  tx: Tx,
  eventId: string,
  priceIds: readonly string[],
  passesList = false,
  code?: { readonly id: string; readonly reservationId?: string | undefined },
): Promise<Left> {
  const rows = await tx.query<(FreeStock & Omit<Left, 'prices'>)[]>(
    `select price.id as "priceId", price.name, ${isKindSql('product.category', 'admission')} as admits,
       ${freePlacesSql('event', '', lapsedSql, '$4::uuid')} as places,
       ${ownFreePlacesSql('event', '', lapsedSql, '$4::uuid')} as "ownPlaces",
       coalesce((select ${keptPlacesSql('code', 'event.id', 'reservation.id is distinct from $5::uuid')}
         from code where code.id = $4), 0) as kept,
       ${freeStockSql({ event: 'event', price: 'price', product: 'product' }, '', '$3::boolean')} as stock
     from event cross join price join product on product.id = price.product_id where event.id = $1 and price.id = any($2)`,
    [eventId, priceIds, passesList, code?.id ?? null, code?.reservationId ?? null],
  );
  const byId = new Map(rows.map((row) => [row.priceId, row]));
  const { places = 0, ownPlaces = 0, kept = 0 } = rows[0] ?? {};
  return { places, ownPlaces, kept, prices: priceIds.flatMap((id) => byId.get(id) ?? []) };
}

/** Quantity of a price that can be booked, limited by its stock and, for admission, by the event's places; null: no limit. */
export function remainingOf(price: Pick<FreeStock, 'stock' | 'admits'>, places: number): number | null {
  if (!price.admits) return price.stock === null ? null : Math.max(0, price.stock);
  return Math.max(0, Math.min(places, price.stock ?? places));
}
