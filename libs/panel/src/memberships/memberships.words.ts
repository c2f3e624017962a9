import type { Text } from '#kernel';
import { correctionWords } from '../sales/email-correction.words.js';
import { answerWords } from '../questions/questions.words.js';
import { texts } from '../locales/panel.texts.js';

/** Current states of a membership, for staff. */
export const membershipStandings = {
  valid: texts.localized('memberships.standings.valid'),
  coming: texts.localized('memberships.standings.coming'),
  waiting: texts.localized('memberships.standings.waiting'),
  expired: texts.localized('memberships.standings.expired'),
  cancelled: texts.localized('memberships.standings.cancelled'),
} as const satisfies Record<string, Text>;

/** What becomes of the automatic renewal, for staff. */
export const renewalStates = {
  on: texts.localized('memberships.renewals.on'),
  charging: texts.localized('memberships.renewals.charging'),
  renewed: texts.localized('memberships.renewals.renewed'),
  stopped: texts.localized('memberships.renewals.stopped'),
  failed: texts.localized('memberships.renewals.failed'),
} as const satisfies Record<string, Text>;

/** Texts of memberships. */
export const words = texts.perLanguage('memberships.words', ({ words, language }) => ({
  ...words,
  properties: { ...words.properties, ...answerWords[language].properties, ...correctionWords[language].properties },
  actions: { ...words.actions, ...answerWords[language].actions, ...correctionWords[language].actions },
  messages: { ...words.messages, ...answerWords[language].messages, ...correctionWords[language].messages },
}));

/** Texts of the forms that change a membership. */
export const formWords = texts.perLanguage('memberships.form', ({ words, t }) => ({
  ...words,
  atLeast: (amount: string) => t('memberships.form.atLeast', { amount }),
  renewLead: (what: string) => t('memberships.form.renewLead', { what }),
}));
