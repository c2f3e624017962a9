import { sumOf, toCents } from '#kernel';
import type { DuePart } from '#payments';
import type { ValuedGiftCard } from '../rows/card-rows.js';

/** A part of a checkout with what its cards pay. */
interface Share {
  readonly part: DuePart;
  readonly cardId: string;
  readonly cents: number;
}

/**
 * What each card pays of each part, in their order.
 * @param how.least cents that a checkout charges at least
 * @param how.besideCents what the same checkout charges beside the parts
 */
export function sharesOf(
  due: readonly DuePart[],
  cards: readonly Pick<ValuedGiftCard, 'id' | 'balance'>[],
  { least, besideCents }: { readonly least: number; readonly besideCents: number },
): { shares: Share[]; rest: number } {
  const sum = toCents(sumOf(due));
  const worth = cards.reduce((total, { balance }) => total + toCents(balance), 0);
  let usable = Math.min(worth, sum);
  if (sum + besideCents > usable) usable = Math.max(0, Math.min(usable, sum + besideCents - least));
  const rest = sum + besideCents - usable;
  const left = new Map(cards.map(({ id, balance }) => [id, toCents(balance)]));
  const shares: Share[] = [];
  for (const part of due) {
    let open = toCents(part.amount);
    for (const { id: cardId } of cards) {
      const cents = Math.min(open, left.get(cardId) ?? 0, usable);
      if (cents <= 0) continue;
      shares.push({ part, cardId, cents });
      left.set(cardId, (left.get(cardId) ?? 0) - cents);
      usable -= cents;
      open -= cents;
    }
  }
  return { shares, rest };
}
