import type { Language, Text } from '#kernel';
import type { ResourceWords } from '#panel-kit';
import { texts } from '../locales/panel.texts.js';

export const visitStates = {
  running: texts.localized('supportVisits.states.running'),
  left: texts.localized('supportVisits.states.left'),
  over: texts.localized('supportVisits.states.over'),
} as const satisfies Record<string, Text>;

export const supportWords: Record<Language, ResourceWords> = texts.perLanguage('supportVisits.support', ({ words }) => words);

/** Words of the list of acts. */
export const actWords = texts.perLanguage('supportVisits.act', ({ words }) => words);

/** Texts of the form that begins a visit. */
export const enterWords = texts.perLanguage('supportVisits.enter', ({ words, t }) => ({
  ...words,
  lead: (name: string) => t('supportVisits.enter.lead', { name }),
}));
