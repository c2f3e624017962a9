import { texts } from '../locales/panel.texts.js';

/** What the panel says of addresses that are corrected. */
export const correctionWords = texts.perLanguage('emailCorrection.correction', ({ words }) => words);
