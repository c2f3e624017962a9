import { Kept } from '../bounds/kept.js';
import { limits } from '../bounds/limits.js';
import { localeOf, type Language } from '../locales/language.js';

const formats = new Kept<Intl.NumberFormat>(limits.formats.kept);

/** With the minus sign instead of a hyphen. */
export const withMinus = (formatted: string): string => formatted.replace('-', '−');

/**
 * `€12.50`, `12,50 €`, whole amounts without decimals. The decimal text is never converted to a float.
 * @param currency ISO 4217
 */
export function moneyWords(amount: string, currency: string, language: Language): string {
  const options = { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' } as const;
  const format = formats.of(`${language} ${currency}`, () => new Intl.NumberFormat(localeOf(language), options));
  return withMinus(format.format(amount as `${number}`));
}

/** `12.50`, `12,50`: an amount as people write it in a field, with the decimal mark of the language and without a currency. */
export function writtenAmount(amount: string, language: Language): string {
  const options = { minimumFractionDigits: 2, useGrouping: false };
  const format = formats.of(`${language} decimal`, () => new Intl.NumberFormat(localeOf(language), options));
  return format.format(amount as `${number}`);
}

/** Whether a decimal text is zero. */
export function costsNothing(amount: string): boolean {
  return /^-?0*(\.0*)?$/.test(amount);
}
