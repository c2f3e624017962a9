import { fromCents, toCents } from '#kernel';
import type { Tx } from '#tenancy';
import { membershipOf, openDiscountsSql, type OfferedDiscount, type WholeReservation } from '#tickets';
import { missingFor } from './best-discounts.js';
import type { Missing, Piece } from './kinds/discount-rule.js';

/** What a buyer may add to save more. */
export interface MissingDiscount {
  /** Of the discount. */
  readonly name: string;
  readonly what: Missing['what'];
  readonly count: number;
  /** The same as decimal text, of `amount`; else null. */
  readonly amount: string | null;
}

/** At most so many are named. */
const mostNamed = 3;

type Part = Pick<WholeReservation, 'eventId' | 'tickets'>;

/** The discounts that are given now at some of these events. @param eventIds SQL: an array */
export const discountsAt = (tx: Tx, eventIds: string, parameters: readonly unknown[]): Promise<OfferedDiscount[]> =>
  tx.query<OfferedDiscount[]>(openDiscountsSql(`event_ids = array[]::uuid[] or event_ids && ${eventIds}`), [...parameters]);

/** What is missing for further discounts of an order that is not placed yet: the least of each discount. */
export function missingDiscounts(
  discounts: readonly OfferedDiscount[],
  parts: readonly Part[],
  inCart: readonly string[] = [],
): MissingDiscount[] {
  if (discounts.length === 0) return [];
  const eventIds = [...new Set(parts.map(({ eventId }) => eventId))];
  const held = parts.flatMap(({ tickets }) => tickets.flatMap((ticket) => membershipOf(ticket) ?? []));
  const buying = { eventIds, memberships: [...held, ...inCart] };
  const least = new Map<string, { readonly discount: OfferedDiscount; readonly missing: Missing }>();
  for (const { eventId, tickets } of parts) {
    const here = discounts.filter((one) => one.eventIds.length === 0 || one.eventIds.includes(eventId));
    for (const found of missingFor(tickets.map(pieceOf), here, buying)) {
      const known = least.get(found.discount.id);
      if (!known || found.missing.count < known.missing.count) least.set(found.discount.id, found);
    }
  }
  return [...least.values()].slice(0, mostNamed).map(({ discount: { name }, missing: { what, count } }) => ({
    name,
    what,
    count,
    amount: what === 'amount' ? fromCents(count) : null,
  }));
}

/** A held ticket as it was before savings. */
const pieceOf = ({ price }: Part['tickets'][number]): Piece => ({
  price: { ...price, category: price.product.category },
  amount: toCents(price.amount),
  coded: 0,
});
