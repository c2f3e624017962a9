import { pageTexts } from '#page-kit';

/** Texts of the form with which visitors join a waiting list. Plain text, not escaped. */
export const waitingFormWords = pageTexts.perLanguage('waitingForm', ({ words }) => words);
