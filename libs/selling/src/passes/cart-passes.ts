import { passDates, passDatesSql, type AssumedDuration } from '#catalogue';
import type { Tx } from '#tenancy';
import { soldOutSql } from '#tickets';
import type { DraftChoice, DraftLine } from '../drafts/wanted-draft.js';
import { RefusedDraft } from '../sales/draft-refusals.js';

/** A pass in a cart. */
interface CartPass {
  /** For how many dates it is, which the buyer chooses; null: for all that remain. */
  readonly size: number | null;
  /** Number of tickets by the id of the event. */
  readonly dates: ReadonlyMap<string, number>;
}

/** A pass in an open cart for some dates of a series, with those that can be chosen. */
export interface ChosenPass {
  readonly priceId: string;
  readonly name: string;
  /** How many dates are to be chosen. */
  readonly size: number;
  readonly dates: readonly PassDate[];
}

export interface PassDate {
  readonly eventId: string;
  readonly name: string;
  readonly startsAt: Date;
  /** The cart has tickets for it. */
  readonly isChosen: boolean;
  readonly soldOut: boolean;
}

/** The most dates that a pass is chosen from; a cart may have others. */
const mostOffered = 60;

/** The prices among these that are passes, each with the number of its dates; null: all. */
async function passPricesOf(tx: Tx, priceIds: readonly string[]): Promise<ReadonlyMap<string, number | null>> {
  const rows = await tx.query<{ id: string; size: number | null }[]>(
    'select id, pass_dates as size from price where id = any($1) and whole_series',
    [priceIds],
  );
  return new Map(rows.map(({ id, size }) => [id, size]));
}

/** The passes in a cart by the id of their price. */
export async function passesIn(tx: Tx, cartId: string): Promise<ReadonlyMap<string, CartPass>> {
  const rows = await tx.query<{ priceId: string; size: number | null; eventId: string; tickets: number }[]>(
    `select price.id as "priceId", price.pass_dates as size, reservation.event_id as "eventId", count(*)::int as tickets
     from reservation join ticket on ticket.reservation_id = reservation.id join price on price.id = ticket.price_id and price.whole_series
     where reservation.cart_id = $1 group by price.id, reservation.event_id`,
    [cartId],
  );
  const passes = new Map<string, CartPass>();
  for (const { priceId, size, eventId, tickets } of rows)
    passes.set(priceId, { size, dates: new Map([...(passes.get(priceId)?.dates ?? []), [eventId, tickets]]) });
  return passes;
}

/** The dates that a pass is for, or is chosen from, when it is chosen at one of them. */
async function datesOfPass(tx: Tx, priceId: string, eventId: string, assumed: AssumedDuration): Promise<string[]> {
  const rows = await tx.query<{ id: string }[]>(
    `select date.id from event own cross join price cross join lateral (
       select date.id ${passDatesSql('own.series_id', 'price.product_id', assumed)}) date
     where own.id = $1 and price.id = $2`,
    [eventId, priceId],
  );
  return rows.map(({ id }) => id);
}

/** The passes of a cart whose dates the buyer chooses. */
export async function chosenPassesIn(tx: Tx, cartId: string, assumed: AssumedDuration): Promise<ChosenPass[]> {
  const shown: ChosenPass[] = [];
  for (const [priceId, { size, dates }] of await passesIn(tx, cartId)) {
    if (size === null) continue;
    const rows = await tx.query<(PassDate & { readonly price: string })[]>(
      `select date.id as "eventId", date.name, date.starts_at as "startsAt", date.id = any($3) as "isChosen",
         ${soldOutSql({ event: 'date', price: 'price', product: 'product' })} as "soldOut", product.name || ' · ' || price.name as price
       from event own cross join price join product on product.id = price.product_id cross join lateral (
         select date.* ${passDatesSql('own.series_id', 'price.product_id', assumed)}
         order by date.starts_at, date.id limit ${mostOffered}) date
       where own.id = $1 and price.id = $2 order by date.starts_at, date.id`,
      [[...dates.keys()][0], priceId, [...dates.keys()]],
    );
    shown.push({ priceId, name: rows[0]?.price ?? '', size, dates: rows });
  }
  return shown;
}

/** How many tickets of which passes a cart is to have for other dates than the chosen one. */
export type OtherDates = ReadonlyMap<string, readonly DraftLine[]>;

/**
 * What the choice for one date means for the other dates of its passes: as many tickets for each of them, none when a pass for all dates
 * was given up. Of a pass for some dates, the others are those that the cart has.
 * @param before the passes of the cart
 * @returns by event, in the order of their ids; a quantity of 0 removes the price
 * @throws RefusedDraft `pass_gone` when the choice is for too few or too many dates, or for another date than its own
 */
export async function otherDatesOf(
  tx: Tx,
  { eventId, lines }: Pick<DraftChoice, 'eventId' | 'lines'>,
  before: ReadonlyMap<string, CartPass>,
  assumed: AssumedDuration,
): Promise<OtherDates> {
  const chosen = await passPricesOf(
    tx,
    lines.map(({ priceId }) => priceId),
  );
  const given = [...before].flatMap(([priceId, { size, dates }]) => (dates.has(eventId) ? [[priceId, size] as const] : []));
  const others = new Map<string, DraftLine[]>();
  for (const [priceId, size] of new Map([...chosen, ...given])) {
    const quantity = lines.filter((line) => line.priceId === priceId).reduce((sum, line) => sum + line.quantity, 0);
    if (quantity === 0 && size !== null) continue;
    const held = before.get(priceId)?.dates ?? new Map<string, number>();
    const dates = quantity > 0 ? await datesOfPass(tx, priceId, eventId, assumed) : [];
    const isPossible = size === null ? dates.length >= passDates.fewest && dates.length <= passDates.most : dates.length >= size;
    if (quantity > 0 && !(isPossible && dates.includes(eventId))) throw new RefusedDraft('pass_gone');
    const booked = dates.filter((date) => size === null || held.has(date));
    for (const date of new Set([...booked, ...held.keys()])) {
      const line = { priceId, quantity: booked.includes(date) ? quantity : 0 };
      if (date !== eventId) others.set(date, [...(others.get(date) ?? []), line]);
    }
  }
  return new Map([...others].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * What another choice of the dates of a pass means for its dates. A pass that is not in the cart has none.
 * @param wanted ids of events
 * @returns as `otherDatesOf`
 * @throws RefusedDraft `pass_dates` when they are too few or too many, or a date is none of the pass
 */
export async function rechosenDates(
  tx: Tx,
  priceId: string,
  wanted: ReadonlySet<string>,
  { before, assumed }: { readonly before: ReadonlyMap<string, CartPass>; readonly assumed: AssumedDuration },
): Promise<OtherDates> {
  const { size = null, dates = new Map<string, number>() } = before.get(priceId) ?? {};
  const [[first, quantity] = ['', 0]] = dates;
  if (size === null) return new Map();
  const possible = await datesOfPass(tx, priceId, first, assumed);
  if (wanted.size !== size || ![...wanted].every((date) => possible.includes(date))) throw new RefusedDraft('pass_dates', priceId);
  const all = [...new Set([...wanted, ...dates.keys()])].toSorted();
  return new Map(all.map((date) => [date, [{ priceId, quantity: wanted.has(date) ? quantity : 0 }]]));
}

/**
 * @throws RefusedDraft `pass_changed` when the cart lacks a date of one of its passes, or a date is over; `pass_dates` when it has another
 *   number of dates than the pass
 */
export async function refuseChangedPasses(tx: Tx, cartId: string, assumed: AssumedDuration): Promise<void> {
  for (const [priceId, { size, dates: held }] of await passesIn(tx, cartId)) {
    const [[first, quantity] = ['', 0]] = held;
    const dates = await datesOfPass(tx, priceId, first, assumed);
    if (size !== null && held.size !== size) throw new RefusedDraft('pass_dates');
    const isWhole = size !== null || dates.length === held.size;
    if (!isWhole || ![...held].every(([date, tickets]) => tickets === quantity && dates.includes(date)))
      throw new RefusedDraft('pass_changed');
  }
}

/** The lines of a date with those of its passes in place of what it had at these prices. */
export function withPasses(lines: readonly DraftLine[], passes: readonly DraftLine[]): DraftLine[] {
  const kept = lines.filter(({ priceId }) => passes.every((pass) => pass.priceId !== priceId));
  return [...kept, ...passes.filter(({ quantity }) => quantity > 0)];
}
