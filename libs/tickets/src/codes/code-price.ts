import { fromCents, toCents } from '#kernel';
import type { Code } from '../entities/code.entity.js';

/** What a code does with a price. */
type Effect = Pick<Code, 'effect' | 'value'>;

/**
 * What is paid with a code that applies: never less than nothing, and never more than without it.
 * @param amount without it, decimal text
 * @returns decimal texts
 */
export function withCode(code: Effect, amount: string): { readonly amount: string; readonly saved: string } {
  const full = toCents(amount);
  const now = Math.min(full, Math.max(0, centsWith(code, full)));
  return { amount: fromCents(now), saved: fromCents(full - now) };
}

/** A part of a cent is given to the buyer. */
function centsWith({ effect, value }: Effect, full: number): number {
  if (value === null || effect === 'none') return full;
  if (effect === 'price') return toCents(value);
  // A percentage has two decimals, too.
  return effect === 'amount' ? full - toCents(value) : full - Math.ceil((full * toCents(value)) / 10_000);
}

/** Whether a code names a price, itself or by its product. */
export const namesPrice = (
  { priceIds, productIds }: Pick<Code, 'priceIds' | 'productIds'>,
  { id, productId }: { readonly id: string; readonly productId: string },
): boolean => priceIds.includes(id) || productIds.includes(productId);
