import { texts } from '../locales/pages.texts.js';

export const followWords = texts.perLanguage('follow', ({ words }) => words);
