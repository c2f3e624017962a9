import type { Language } from '#kernel';
import { texts } from '../locales/panel-kit.texts.js';

const words = texts.perLanguage('plainPage', ({ words: plain }) => plain);

/** Texts of the pages without AdminJS: sign-in, sign-out, errors, and the page before the panel opens. */
export type PlainWords = (typeof words)['en'];

/** Those words in one language. */
export const plainWords = (language: Language): PlainWords => words[language];
