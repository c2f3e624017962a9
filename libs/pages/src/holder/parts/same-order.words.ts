import { texts } from '../../locales/pages.texts.js';

/** Texts about what was ordered together with a reservation. */
export const sameOrderWords = texts.perLanguage('sameOrder', ({ words, t }) => ({
  ...words,
  partOf: (amount: string) => t('sameOrder.partOf', { amount }),
  partOfPass: (amount: string) => t('sameOrder.partOfPass', { amount }),
}));
