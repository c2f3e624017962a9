import { texts } from '../locales/panel.texts.js';

/** Texts of people and of their rights. */
export const peopleWords = texts.perLanguage('people', ({ words, t }) => ({
  ...words,
  lead: (name: string) => t('people.form.lead', { name }),
  more: (count: number) => t('people.scopes.more', { count }),
}));

export const roleWords = texts.perLanguage('roles', ({ words }) => words);
