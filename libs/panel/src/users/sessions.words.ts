import type { Language } from '#kernel';
import type { ResourceWords } from '#panel-kit';
import { texts } from '../locales/panel.texts.js';

/** What the panel says of a person's own sign-ins. */
export const words: Record<Language, ResourceWords> = texts.perLanguage('sessions', ({ words }) => words);
