import { passDates, passDatesSql, type AssumedDuration } from '#catalogue';
import type { Tx } from '#tenancy';
import type { DraftChoice, DraftLine } from '../drafts/wanted-draft.js';
import { RefusedDraft } from '../sales/draft-refusals.js';

/** Number of tickets by the id of the event. */
type Dates = ReadonlyMap<string, number>;

/** The prices among these that are sold for all dates of a series. */
export async function passPricesOf(tx: Tx, priceIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ id: string }[]>('select id from price where id = any($1) and whole_series', [priceIds]);
  return new Set(rows.map(({ id }) => id));
}

/** The passes in a cart by the id of their price. */
export async function passesIn(tx: Tx, cartId: string): Promise<ReadonlyMap<string, Dates>> {
  const rows = await tx.query<{ priceId: string; eventId: string; tickets: number }[]>(
    `select ticket.price_id as "priceId", reservation.event_id as "eventId", count(*)::int as tickets
     from reservation join ticket on ticket.reservation_id = reservation.id join price on price.id = ticket.price_id and price.whole_series
     where reservation.cart_id = $1 group by 1, 2`,
    [cartId],
  );
  const passes = new Map<string, Map<string, number>>();
  for (const { priceId, eventId, tickets } of rows) passes.set(priceId, (passes.get(priceId) ?? new Map()).set(eventId, tickets));
  return passes;
}

/** The dates that a pass is for, when it is chosen at one of them. */
async function datesOfPass(tx: Tx, priceId: string, eventId: string, assumed: AssumedDuration): Promise<string[]> {
  const rows = await tx.query<{ id: string }[]>(
    `select date.id from event own cross join price cross join lateral (
       select date.id ${passDatesSql('own.series_id', 'price.product_id', assumed)}) date
     where own.id = $1 and price.id = $2`,
    [eventId, priceId],
  );
  return rows.map(({ id }) => id);
}

/** How many tickets of which passes a cart is to have for other dates than the chosen one. */
export type OtherDates = ReadonlyMap<string, readonly DraftLine[]>;

/**
 * What the choice for one date means for the other dates of its passes: as many tickets for each of them, none when the pass was given up.
 * @param before the passes of the cart
 * @returns by event, in the order of their ids; a quantity of 0 removes the price
 * @throws RefusedDraft `pass_gone` when the choice is for too few or too many dates, or for another date than its own
 */
export async function otherDatesOf(
  tx: Tx,
  { eventId, lines }: DraftChoice,
  before: ReadonlyMap<string, Dates>,
  assumed: AssumedDuration,
): Promise<OtherDates> {
  const chosen = await passPricesOf(
    tx,
    lines.map(({ priceId }) => priceId),
  );
  const given = [...before].filter(([, dates]) => dates.has(eventId)).map(([priceId]) => priceId);
  const others = new Map<string, DraftLine[]>();
  for (const priceId of new Set([...chosen, ...given])) {
    const quantity = lines.filter((line) => line.priceId === priceId).reduce((sum, line) => sum + line.quantity, 0);
    const dates = quantity > 0 ? await datesOfPass(tx, priceId, eventId, assumed) : [];
    const isPossible = dates.includes(eventId) && dates.length >= passDates.fewest && dates.length <= passDates.most;
    if (quantity > 0 && !isPossible) throw new RefusedDraft('pass_gone');
    for (const date of new Set([...dates, ...(before.get(priceId)?.keys() ?? [])])) {
      const line = { priceId, quantity: dates.includes(date) ? quantity : 0 };
      if (date !== eventId) others.set(date, [...(others.get(date) ?? []), line]);
    }
  }
  return new Map([...others].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** @throws RefusedDraft `pass_changed` when the cart lacks a date of one of its passes, or a date is over */
export async function refuseChangedPasses(tx: Tx, cartId: string, assumed: AssumedDuration): Promise<void> {
  for (const [priceId, held] of await passesIn(tx, cartId)) {
    const [[first, quantity] = ['', 0]] = held;
    const dates = await datesOfPass(tx, priceId, first, assumed);
    const isWhole = dates.length === held.size && dates.every((date) => held.get(date) === quantity);
    if (!isWhole) throw new RefusedDraft('pass_changed');
  }
}

/** The lines of a date with those of its passes in place of what it had at these prices. */
export function withPasses(lines: readonly DraftLine[], passes: readonly DraftLine[]): DraftLine[] {
  const kept = lines.filter(({ priceId }) => passes.every((pass) => pass.priceId !== priceId));
  return [...kept, ...passes.filter(({ quantity }) => quantity > 0)];
}
