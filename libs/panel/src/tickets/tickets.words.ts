import { ticketStates } from '#tickets';
import type { Text } from '#kernel';
import { answerWords } from '../questions/questions.words.js';
import { texts } from '../locales/panel.texts.js';

/** States of a ticket for staff; for paid goods whether they were handed out. */
export const ticketStandings = {
  ...ticketStates,
  due: texts.localized('tickets.standings.due'),
  done: texts.localized('tickets.standings.done'),
} as const satisfies Record<string, Text>;

/** States of a ticket that is given to somebody. */
export const transferStates = {
  pending: texts.localized('tickets.transferStates.pending'),
  accepted: texts.localized('tickets.transferStates.accepted'),
  withdrawn: texts.localized('tickets.transferStates.withdrawn'),
  lapsed: texts.localized('tickets.transferStates.lapsed'),
} as const;

/** Texts of tickets. */
export const words = texts.perLanguage('tickets.words', ({ words, language }) => ({
  ...words,
  properties: { ...words.properties, ...answerWords[language].properties },
}));

/** Texts of the forms that change a ticket. */
export const formWords = texts.perLanguage('tickets.form', ({ words, t }) => ({
  ...words,
  fulfilLead: (item: string, holder: string) => t('tickets.form.fulfilLead', { item, holder }),
  cancelOne: (name: string) => t('tickets.form.cancelOne', { name }),
  cancelLast: (name: string) => t('tickets.form.cancelLast', { name }),
}));
