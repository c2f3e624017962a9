import type { Language } from '#kernel';
import { texts } from '../locales/panel-kit.texts.js';

const words = texts.perLanguage('plainPage', ({ words: plain }) => plain);

/** What the pages without AdminJS say: sign-in, sign-out, errors, and the moment before the panel opens. */
export type PlainWords = (typeof words)['en'];

/** Those words in one language. */
export const plainWords = (language: Language): PlainWords => words[language];
