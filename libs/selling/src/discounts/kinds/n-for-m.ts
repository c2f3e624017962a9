import type { OfferedDiscount } from '#tickets';
import { savedAt, type Missing, type Piece } from './discount-rule.js';

/**
 * Of each `least` tickets, the `reduced` cheapest ones are cheaper, or free. The buyer puts the tickets together as is best.
 * @param pieces those that it applies to
 * @param saved what each of them saves otherwise, in cents
 * @returns what each of them saves by the discount where that is more; 0: it saves what it saved
 */
export function nForM(discount: OfferedDiscount, pieces: readonly Piece[], saved: readonly number[]): number[] {
  const levels = [...new Set(pieces.map(({ amount }) => amount))].map((amount) => ({
    amount,
    left: mostReduced(discount, pieces.filter((piece) => piece.amount >= amount).length, pieces.length),
  }));
  const gains = pieces.map((piece, index) => ({ piece, index, gain: savedAt(discount, piece) - (saved[index] ?? 0) }));
  const given = pieces.map(() => 0);
  // Of equal tickets, the last ones. The largest gain first is best, because the sets of tickets that may be reduced are a matroid.
  for (const { piece, index, gain } of gains.toReversed().toSorted((one, other) => other.gain - one.gain)) {
    const limits = levels.filter(({ amount }) => amount <= piece.amount);
    if (gain <= 0 || limits.some(({ left }) => left === 0)) continue;
    for (const limit of limits) limit.left -= 1;
    given[index] = savedAt(discount, piece);
  }
  return given;
}

/** How many of the most expensive tickets can be reduced: in each group, others that cost as much pay. @param count of these tickets */
function mostReduced(discount: OfferedDiscount, count: number, all: number): number {
  const { least, reduced } = sizesOf(discount);
  const inGroups = reduced * Math.floor(count / least) + Math.max(0, (count % least) - (least - reduced));
  return Math.min(inGroups, reduced * Math.floor(all / least));
}

/** The tickets that are missing for the next reduced one. @param pieces those that it applies to */
export function missingForM(discount: OfferedDiscount, pieces: readonly Piece[]): Missing | undefined {
  const { least } = sizesOf(discount);
  const over = pieces.length % least;
  return over === 0 ? undefined : { what: 'tickets', count: least - over };
}

const sizesOf = ({ least, reduced }: OfferedDiscount) => ({ least: Math.max(1, least ?? 1), reduced: Math.max(0, reduced ?? 1) });
