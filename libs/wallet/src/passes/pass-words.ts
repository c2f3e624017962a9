import { texts } from '../locales/wallet.texts.js';

/** Texts of passes. Plain text. */
export const passWords = texts.perLanguage('pass', ({ words }) => words);
