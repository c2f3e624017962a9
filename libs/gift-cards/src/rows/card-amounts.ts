import { currency, forEachLanguage, giftCardAmounts, moneyWords, RefusedInput, toCents, type Language } from '#kernel';
import { amountToPay } from '#tickets';
import { texts } from '../locales/gift-cards.texts.js';

/**
 * @param typed decimal text
 * @param field that is refused
 * @returns decimal text
 * @throws RefusedInput
 */
export function cardAmountOf(typed: string, field: string): string {
  const amount = amountToPay({ amount: '0', freeAmount: true }, typed, field);
  const { least, most } = giftCardAmounts;
  if (toCents(amount) < toCents(least) || toCents(amount) > toCents(most)) throw new RefusedInput(field, forEachLanguage(limitsIn));
  return amount;
}

function limitsIn(language: Language): string {
  const wordsOf = (amount: string): string => moneyWords(amount, currency, language);
  return texts.translate(language, 'amount.limits', { least: wordsOf(giftCardAmounts.least), most: wordsOf(giftCardAmounts.most) });
}
