import { texts } from '../locales/pages.texts.js';

/** Texts of the elements on pages of other sites. Plain text. */
export const embedWords = texts.perLanguage('embed', ({ words }) => words);
