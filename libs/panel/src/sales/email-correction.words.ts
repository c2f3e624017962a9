import { texts } from '../locales/panel.texts.js';

/** Texts of corrections of e-mail addresses. */
export const correctionWords = texts.perLanguage('emailCorrection', ({ words }) => words);
