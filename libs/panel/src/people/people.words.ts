import { texts } from '../locales/panel.texts.js';

/** Texts of people and of their rights. */
export const peopleWords = texts.perLanguage('people', ({ words, t }) => ({
  ...words,
  lead: (name: string) => t('people.form.lead', { name }),
  noServer: (operator: string) => t('people.form.noServer', { operator }),
  changeInvitation: (name: string) => t('people.form.changeInvitation', { name }),
  resetAsked: (facts: Readonly<Record<'name' | 'day' | 'time' | 'untilDay' | 'untilTime', string>>) => t('people.resetAsked', facts),
  invited: {
    by: (name: string, day: string) => t('people.invited.by', { name, day }),
    byOperator: (day: string) => t('people.invited.byOperator', { day }),
  },
}));

export const roleWords = texts.perLanguage('roles', ({ words }) => words);
