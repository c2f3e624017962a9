import { fromCents, toCents } from '#kernel';
import type { OfferedDiscount, OfferedPrice, PaidPiece } from '#tickets';
import { bestDiscounts } from './best-discounts.js';
import type { Buying } from './kinds/discount-rule.js';

/** An item of a sale before discounts. */
interface PricedItem {
  readonly price: OfferedPrice;
  readonly quantity: number;
  /** Of each piece, without savings, decimal text. */
  readonly full: string;
  /** The same with the code; `saved` is null where it does not apply. */
  readonly coded: Pick<PaidPiece, 'amount' | 'saved'>;
}

/**
 * What is paid for each piece of each item: with the code or with one discount, whichever saves more. The code is used wherever it applies,
 * so that what it opens and counts is the same with and without discounts.
 */
export function paidLines(
  items: readonly PricedItem[],
  discounts: readonly OfferedDiscount[],
  buying: Buying,
): { readonly price: OfferedPrice; readonly pieces: readonly PaidPiece[] }[] {
  const pieces = items.flatMap(({ price, full, coded, quantity }) =>
    Array.from({ length: quantity }, () => ({
      price,
      amount: toCents(full),
      coded: toCents(coded.saved ?? '0'),
    })),
  );
  const given = bestDiscounts(pieces, discounts, buying);
  let place = 0;
  return items.map(({ price, full, coded, quantity }) => ({
    price,
    pieces: Array.from({ length: quantity }, () => {
      const best = given[place++];
      if (!best) return { ...coded, discount: null };
      const { id, name, membershipId } = best.discount;
      const saved = fromCents(best.saved);
      const amount = fromCents(toCents(full) - best.saved);
      return { amount, saved: coded.saved === null ? null : '0.00', discount: { id, name, saved, membershipId } };
    }),
  }));
}
