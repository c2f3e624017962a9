import { amountOf, isAmount } from '#catalogue';
import { RefusedInput, fromCents, toCents } from '#kernel';
import { texts } from '../locales/tickets.texts.js';

/** The amount of a price. */
export interface OfferedAmount {
  /** Decimal text; the minimum when the amount is free. */
  readonly amount: string;
  readonly freeAmount: boolean;
}

/** The largest amount that can be stored, in cents: 99999999.99. */
const largestCents = 9_999_999_999;

/**
 * Determines the amount of one ticket or membership.
 * @param chosen the amount that the buyer sent; default: the amount or minimum of the price
 * @returns decimal text
 * @throws RefusedInput on `field`
 */
export function amountToPay(offered: OfferedAmount, chosen: string | undefined, field: string): string {
  if (chosen === undefined) return offered.amount;
  if (!isAmount(chosen)) throw new RefusedInput(field, notAnAmount);
  const [wanted, least] = [toCents(amountOf(chosen)), toCents(offered.amount)];
  const { amount } = offered;
  if (!offered.freeAmount && wanted !== least) {
    throw new RefusedInput(field, texts.localized('chosenAmounts.fixed', { amount }));
  }
  if (wanted < least) throw new RefusedInput(field, texts.localized('chosenAmounts.tooLow', { amount }));
  return fromCents(wanted);
}

/** @throws RefusedInput on `tickets` when the sum of the amounts is too large to store */
export function checkSum(amounts: readonly string[]): void {
  if (amounts.reduce((sum, amount) => sum + toCents(amount), 0) <= largestCents) return;
  throw new RefusedInput('tickets', texts.localized('chosenAmounts.totalTooHigh'));
}

const notAnAmount = texts.localized('chosenAmounts.notAnAmount');
