import { RefusedInput, toCents } from '#kernel';
import { amountToPay } from '#tickets';
import { texts } from '../locales/gift-cards.texts.js';

/** What a card may be worth, decimal text. The most is what anonymous prepaid means may have without further checks (article 12 of Directive 2015/849, 150 €). */
export const cardAmounts = { least: '5.00', most: '150.00' } as const;

/**
 * @param typed decimal text
 * @param field that is refused
 * @returns decimal text
 * @throws RefusedInput
 */
export function cardAmountOf(typed: string, field: string): string {
  const amount = amountToPay({ amount: '0', freeAmount: true }, typed, field);
  const { least, most } = cardAmounts;
  if (toCents(amount) < toCents(least) || toCents(amount) > toCents(most))
    throw new RefusedInput(field, texts.localized('amount.limits', { least, most }));
  return amount;
}
