import { language, t } from '../texts/texts.js';

/** What to collect from a guest who has not paid. @param amount decimal text, in the currency of the place */
export function collectWords(amount: string): string {
  const options = { style: 'currency', currency: 'EUR', trailingZeroDisplay: 'stripIfInteger' } as const;
  const format = new Intl.NumberFormat(language.value.locale, options);
  return t('result.collect', { amount: format.format(amount as `${number}`) });
}
