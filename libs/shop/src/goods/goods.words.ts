import { texts } from '../locales/shop.texts.js';

/** Texts of the page with goods. Plain text, not escaped. */
export const goodsWords = texts.perLanguage('goods', ({ words, t }) => ({
  ...words,
  collectAt: (event: string) => t('goods.collectAt', { event }),
}));
