import { currency, forEachLanguage, moneyWords, RefusedInput } from '#kernel';
import { texts } from '../locales/payments.texts.js';

/** A sum that is due online but less than any provider charges that the buyer can use. A form shows the smallest one beside `field`. */
export class RefusedAmount extends RefusedInput {
  /** @param minimum decimal text, in EUR */
  constructor(
    field: string,
    readonly minimum: `${number}`,
  ) {
    super(
      field,
      forEachLanguage((language) => texts.localized('online.tooSmall', { minimum: moneyWords(minimum, currency, language) })[language]),
    );
  }
}
