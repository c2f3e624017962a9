import type { Language } from '#kernel';
import type { ResourceWords } from '#panel-kit';
import { texts } from '../locales/panel.texts.js';

/** Texts of the list of the user's own sessions. */
export const words: Record<Language, ResourceWords> = texts.perLanguage('sessions', ({ words }) => words);
