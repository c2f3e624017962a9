import { toCents } from '#kernel';
import type { OfferedDiscount } from '#tickets';
import type { Missing, Piece } from './discount-rule.js';

/** The tickets of sets, and what these save at them. */
export interface Sets {
  /** Indexes of pieces, each once. */
  readonly taken: readonly number[];
  /** In cents, by index of the piece. */
  readonly saved: ReadonlyMap<number, number>;
}

/** Of one booking, at most so many sets of one kind are compared. */
export const mostSets = 20;

/**
 * Puts tickets into a number of sets with a fixed price.
 * @param free indexes of the pieces that may be taken; of one price, those that come first are taken first
 * @returns undefined when there are not enough tickets, or the sets would save nothing
 */
export function inSets(discount: OfferedDiscount, pieces: readonly Piece[], free: readonly number[], count: number): Sets | undefined {
  const taken = discount.parts.flatMap(({ priceIds, quantity }) =>
    free.filter((index) => priceIds.includes((pieces[index] as Piece).price.id)).slice(0, quantity * count),
  );
  if (taken.length < count * sizeOf(discount)) return undefined;
  const amounts = taken.map((index) => (pieces[index] as Piece).amount);
  const full = amounts.reduce((sum, amount) => sum + amount, 0);
  const saving = full - count * toCents(discount.value);
  if (saving <= 0) return undefined;
  const saved = spread(saving, amounts);
  return { taken, saved: new Map(taken.map((index, place) => [index, saved[place] as number])) };
}

/** How many sets the pieces are enough for, at most `mostSets`. */
export function setsIn({ parts }: OfferedDiscount, pieces: readonly Piece[]): number {
  const counts = parts.map(({ priceIds, quantity }) =>
    Math.floor(pieces.filter(({ price }) => priceIds.includes(price.id)).length / quantity),
  );
  return Math.min(mostSets, ...(counts.length === 0 ? [0] : counts));
}

/** The tickets that are missing for one more set, when a part of it is there. */
export function missingForSet(discount: OfferedDiscount, pieces: readonly Piece[]): Missing | undefined {
  const sets = setsIn(discount, pieces);
  if (sets === mostSets || discount.parts.length === 0) return undefined;
  const missing = discount.parts.map(({ priceIds, quantity }) =>
    Math.max(0, quantity * (sets + 1) - pieces.filter(({ price }) => priceIds.includes(price.id)).length),
  );
  const count = missing.reduce((sum, one) => sum + one, 0);
  return count < sizeOf(discount) ? { what: 'tickets', count } : undefined;
}

const sizeOf = ({ parts }: OfferedDiscount): number => parts.reduce((sum, { quantity }) => sum + quantity, 0);

/** Spreads a saving over amounts in their proportion, to whole cents, none below zero. */
function spread(saving: number, amounts: readonly number[]): number[] {
  let [savingLeft, amountLeft] = [saving, amounts.reduce((sum, amount) => sum + amount, 0)];
  return amounts.map((amount) => {
    const part = amountLeft === 0 ? 0 : Math.round((savingLeft * amount) / amountLeft);
    savingLeft -= part;
    amountLeft -= amount;
    return part;
  });
}
