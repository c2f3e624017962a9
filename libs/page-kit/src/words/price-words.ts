import { costsNothing, currency, type Language, moneyWords } from '#kernel';
import { pageWords } from '../frame/pages.words.js';

/** What a list says about the prices of an event. Prices whose sale has ended count only when there are no others. */
export interface PriceRange {
  /** Decimal text with two places. Prices for members count only when there are no others. */
  readonly lowest: `${number}`;
  readonly highest: `${number}`;
  /** The buyer chooses the amount of at least one of these prices. */
  readonly freeAmount: boolean;
  /** Nothing can be booked at any price, now or when its sale opens, and everything is sold, not only held for some minutes. */
  readonly soldOut: boolean;
  /** The sale of every price has ended. */
  readonly ended: boolean;
  /** When the first sale opens, in milliseconds; null: something can be booked now, or nothing any more. */
  readonly opensAt: number | null;
  /** Now only members can buy: `first`, everybody later; `only`, nobody else. */
  readonly members: 'first' | 'only' | null;
  /** How many tickets are left, when they are few; null: many. */
  readonly left: number | null;
  /** When the sale of a price opens or ends next, in milliseconds; null: never. */
  readonly changesAt: number | null;
}

interface PriceAmount {
  /** Decimal text with two places. */
  readonly amount: `${number}`;
  /** The buyer chooses the amount; `amount` is the minimum. */
  readonly freeAmount: boolean;
}

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
export function priceWords({ amount, freeAmount }: PriceAmount, language: Language): string {
  return freeAmount ? freeAmountWords(amount, language) : amountWords(amount, language);
}

/** The amounts of an event in a list: `Free`, `€8.00`, `From €8.00`, `Pay what you want`. */
export function priceRangeWords(
  { lowest, highest, freeAmount }: Pick<PriceRange, 'lowest' | 'highest' | 'freeAmount'>,
  language: Language,
): string {
  if (freeAmount) return freeAmountWords(lowest, language);
  if (lowest === highest) return amountWords(lowest, language);
  return pageWords[language].from(moneyWords(lowest, currency, language));
}
