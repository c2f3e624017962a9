import { texts } from '../locales/wallet.texts.js';

/** Texts of passes. Plain text. */
export const passWords = texts.perLanguage('pass', ({ words }) => words);

/** Texts of the passes of goods. */
export const goodsPassWords = texts.perLanguage('goods', ({ language, words }) => ({ ...passWords[language], ...words }));
