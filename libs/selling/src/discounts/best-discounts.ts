import type { Discount, OfferedDiscount } from '#tickets';
import { applies, savedAt, type Buying, type DiscountRule, type Missing, type Piece } from './kinds/discount-rule.js';
import { events } from './kinds/events.js';
import { members } from './kinds/members.js';
import { missingForM, nForM } from './kinds/n-for-m.js';
import { quantity } from './kinds/quantity.js';
import { inSets, missingForSet, setsIn } from './kinds/set.js';
import { value } from './kinds/value.js';

/** The kinds of discounts that each ticket gets by itself. The others put tickets together. */
const rules: Readonly<Record<Exclude<Discount['kind'], 'n_for_m' | 'set'>, DiscountRule>> = { quantity, value, events, members };

/** What a discount saves at a ticket, in cents. */
export interface Given {
  readonly discount: OfferedDiscount;
  readonly saved: number;
}

/** Sets that name the same prices are combined when they are at most so many; those that save most. */
const mostCombined = 2;

/**
 * The discounts of a booking: those with which the buyer pays least. A ticket has one saving, by the code or by one discount. A ticket of
 * a set belongs to the set alone; each other ticket counts for each condition, whatever it saves itself.
 * @returns by piece; null: what the code saves, or nothing
 */
export function bestDiscounts(pieces: readonly Piece[], discounts: readonly OfferedDiscount[], buying: Buying): (Given | null)[] {
  if (discounts.length === 0) return pieces.map(() => null);
  const sets = setsToCompare(discounts, pieces);
  // Of tickets with the same price, those that would save least otherwise go into sets.
  const alone = withoutSets(
    pieces,
    pieces.map((_, index) => index),
    discounts,
    buying,
  );
  const savedAlone = pieces.map((piece, index) => alone[index]?.saved ?? piece.coded);
  const free = pieces.map((_, index) => index).toSorted((one, other) => (savedAlone[one] ?? 0) - (savedAlone[other] ?? 0));
  let best = { given: alone, saved: sum(savedAlone) };
  const compare = (taken: ReadonlyMap<number, Given>, [set, ...others]: readonly OfferedDiscount[]): void => {
    if (!set) {
      if (taken.size === 0) return;
      const left = pieces.flatMap((_, index) => (taken.has(index) ? [] : [index]));
      const rest = withoutSets(pieces, left, discounts, buying);
      const given = pieces.map((_, index) => taken.get(index) ?? rest[index] ?? null);
      const saved = sum(pieces.map((piece, index) => given[index]?.saved ?? (taken.has(index) ? 0 : piece.coded)));
      if (saved > best.saved) best = { given, saved };
      return;
    }
    compare(taken, others);
    const open = free.filter((index) => !taken.has(index));
    const most = setsIn(
      set,
      open.map((index) => pieces[index] as Piece),
    );
    for (let count = 1; count <= most; count += 1) {
      const found = inSets(set, pieces, open, count);
      if (found)
        compare(new Map([...taken, ...[...found.saved].map(([index, saved]) => [index, { discount: set, saved }] as const)]), others);
    }
  };
  compare(new Map(), sets);
  return best.given;
}

/** What is missing for discounts that are not given yet, or could be given once more. */
export function missingFor(
  pieces: readonly Piece[],
  discounts: readonly OfferedDiscount[],
  buying: Buying,
): { readonly discount: OfferedDiscount; readonly missing: Missing }[] {
  return discounts.flatMap((discount) => {
    const applied = pieces.filter((piece) => applies(discount, piece));
    const missing =
      discount.kind === 'n_for_m'
        ? missingForM(discount, applied)
        : discount.kind === 'set'
          ? missingForSet(discount, pieces)
          : rules[discount.kind].missing(discount, applied, buying);
    return missing ? [{ discount, missing }] : [];
  });
}

/** The sets for which there are enough tickets: the two that save most at one set. */
function setsToCompare(discounts: readonly OfferedDiscount[], pieces: readonly Piece[]): OfferedDiscount[] {
  const all = pieces.map((_, index) => index);
  const saving = (set: OfferedDiscount): number => sum([...(inSets(set, pieces, all, 1)?.saved.values() ?? [])]);
  const found = discounts.flatMap((discount) => (discount.kind === 'set' ? [{ discount, saved: saving(discount) }] : []));
  return found
    .filter(({ saved }) => saved > 0)
    .toSorted((one, other) => other.saved - one.saved)
    .slice(0, mostCombined)
    .map(({ discount }) => discount);
}

/** The best of the other discounts, for some of the pieces. @param indexes of these pieces @returns by index of all pieces */
function withoutSets(
  pieces: readonly Piece[],
  indexes: readonly number[],
  discounts: readonly OfferedDiscount[],
  buying: Buying,
): (Given | null)[] {
  const saved = pieces.map(({ coded }) => coded);
  const given: (Given | null)[] = pieces.map(() => null);
  const give = (index: number, discount: OfferedDiscount, amount: number): void => {
    if (amount <= (saved[index] ?? 0)) return;
    saved[index] = amount;
    given[index] = { discount, saved: amount };
  };
  for (const discount of discounts) {
    if (discount.kind === 'n_for_m' || discount.kind === 'set') continue;
    const { isGiven } = rules[discount.kind];
    const applied = indexes.filter((index) => applies(discount, pieces[index] as Piece));
    if (
      !isGiven(
        discount,
        applied.map((index) => pieces[index] as Piece),
        buying,
      )
    )
      continue;
    for (const index of applied) give(index, discount, savedAt(discount, pieces[index] as Piece));
  }
  // They choose among tickets, so they come last, one after another.
  for (const discount of discounts.filter(({ kind }) => kind === 'n_for_m')) {
    const applied = indexes.filter((index) => applies(discount, pieces[index] as Piece));
    const reduced = nForM(
      discount,
      applied.map((index) => pieces[index] as Piece),
      applied.map((index) => saved[index] ?? 0),
    );
    for (const [place, index] of applied.entries()) give(index, discount, reduced[place] ?? 0);
  }
  return given;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
