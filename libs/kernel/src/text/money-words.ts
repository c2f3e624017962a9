import { localeOf, type Language } from '../locales/language.js';

const formats = new Map<string, Intl.NumberFormat>();

/**
 * `€12.50`, `12,50 €`, whole amounts without decimals. The decimal text is never converted to a float.
 * @param currency ISO 4217
 */
export function moneyWords(amount: string, currency: string, language: Language): string {
  const key = `${language} ${currency}`;
  let format = formats.get(key);
  if (!format) {
    const options = { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' } as const;
    format = new Intl.NumberFormat(localeOf(language), options);
    if (formats.size > 1000) formats.clear();
    formats.set(key, format);
  }
  return format.format(amount as `${number}`);
}

/** `12.50`, `12,50`: an amount as people write it in a field, with the decimal mark of the language and without a currency. */
export function writtenAmount(amount: string, language: Language): string {
  const key = `${language} decimal`;
  const format = formats.get(key) ?? new Intl.NumberFormat(localeOf(language), { minimumFractionDigits: 2, useGrouping: false });
  formats.set(key, format);
  return format.format(amount as `${number}`);
}

/** Whether a decimal text is zero. */
export function costsNothing(amount: string): boolean {
  return /^-?0*(\.0*)?$/.test(amount);
}
