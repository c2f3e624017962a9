import { costsNothing, currency, type Language, moneyWords } from '#kernel';
import type { PriceRange } from '../public-events/price-range.js';
import type { PublicPrice } from '../public-events/public-events.service.js';
import { pageWords } from '../frame/pages.words.js';

/** `€12.50`, `12,50 €`; zero is shown as free. The decimal text is never converted to a float. */
export function amountWords(amount: `${number}`, language: Language): string {
  return costsNothing(amount) ? pageWords[language].free : moneyWords(amount, currency, language);
}

/** The amount of a price that the buyer chooses: `Pay what you want`, `From €5.00`. */
function freeAmountWords(amount: `${number}`, language: Language): string {
  const words = pageWords[language];
  return costsNothing(amount) ? words.payWhatYouWant : words.from(moneyWords(amount, currency, language));
}

/** The amount of a price, or the minimum of a free one. */
export function priceWords({ amount, freeAmount }: Pick<PublicPrice, 'amount' | 'freeAmount'>, language: Language): string {
  return freeAmount ? freeAmountWords(amount, language) : amountWords(amount, language);
}

/** The amounts of an event in a list: `Free`, `€8.00`, `From €8.00`, `Pay what you want`. */
export function priceRangeWords({ lowest, highest, freeAmount }: PriceRange, language: Language): string {
  if (freeAmount) return freeAmountWords(lowest, language);
  if (lowest === highest) return amountWords(lowest, language);
  return pageWords[language].from(moneyWords(lowest, currency, language));
}
