import type { Language } from '#kernel';
import type { ResourceWords } from '#panel-kit';
import { texts } from '../locales/panel.texts.js';

/** Texts of users. */
export const words: Record<Language, ResourceWords> = texts.perLanguage('users.words', ({ words }) => words);

/** Labels of changes of a user's rights. */
export const userChangeWords: Readonly<Record<Language, Readonly<Record<string, string>>>> = texts.perLanguage(
  'users.changes',
  ({ words }) => words,
);
