import { pageTexts } from '#page-kit';

/** Texts of the elements on pages of other sites. Plain text. */
export const embedWords = pageTexts.perLanguage('embed', ({ words }) => words);
