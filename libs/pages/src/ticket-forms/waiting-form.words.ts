import { texts } from '../locales/pages.texts.js';

/** Texts of the form with which visitors join a waiting list. Plain text, not escaped. */
export const waitingFormWords = texts.perLanguage('waitingForm', ({ words }) => words);
