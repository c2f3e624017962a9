import { amountOf, isAmount } from '#catalogue';
import { RefusedInput, fromCents, toCents } from '#kernel';

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
    throw new RefusedInput(field, {
      en: `The amount of this price is fixed: ${amount}.`,
      fr: `Le montant de ce tarif est fixe : ${amount}.`,
    });
  }
  if (wanted < least)
    throw new RefusedInput(field, {
      en: `The amount is at least ${amount}.`,
      fr: `Le montant est d'au moins ${amount}.`,
    });
  return fromCents(wanted);
}

/** @throws RefusedInput on `tickets` when the sum of the amounts is too large to store */
export function checkSum(amounts: readonly string[]): void {
  if (amounts.reduce((sum, amount) => sum + toCents(amount), 0) <= largestCents) return;
  throw new RefusedInput('tickets', {
    en: 'Together they cost more than 99999999.99: book fewer at once.',
    fr: 'Ensemble ils coûtent plus de 99999999,99 : réservez-en moins à la fois.',
  });
}

const notAnAmount = {
  en: 'Send an amount from 0 to 99999999.99 with at most two decimals.',
  fr: 'Envoyez un montant de 0 à 99999999.99 avec deux décimales au plus.',
};
