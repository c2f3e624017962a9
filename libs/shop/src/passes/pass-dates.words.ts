import { texts } from '../locales/shop.texts.js';

/** Texts of the form for the dates of a pass. Plain text, not escaped. */
export const passDatesWords = texts.perLanguage('passDates', ({ words, t }) => ({
  ...words,
  choose: (name: string, count: number) => t('passDates.choose', { name, count }),
  few: (count: number, of: number) => t('passDates.few', { count, of }),
}));
