import { texts } from '../locales/pages.texts.js';

/** Texts of the page of the house. */
export const houseWords = texts.perLanguage('house', ({ words }) => words);
