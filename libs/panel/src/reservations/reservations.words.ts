import { correctionWords } from '../sales/email-correction.words.js';
import { answerWords } from '../questions/questions.words.js';
import { texts } from '../locales/panel.texts.js';

/** Texts of reservations. */
export const words = texts.perLanguage('reservations', ({ words, language }) => ({
  ...words,
  properties: { ...words.properties, ...answerWords[language].properties, ...correctionWords[language].properties },
  actions: { ...words.actions, ...answerWords[language].actions, ...correctionWords[language].actions },
  messages: { ...words.messages, ...answerWords[language].messages, ...correctionWords[language].messages },
}));

/** Sales channels of reservations. */
export const origins = {
  api: texts.localized('reservations.origins.api'),
  panel: texts.localized('reservations.origins.panel'),
  page: texts.localized('reservations.origins.page'),
} as const;

/** Texts of the forms that change a reservation or a ticket. */
export const formWords = texts.perLanguage('reservations.form', ({ words, t }) => ({
  ...words,
  confirmPaid: (amount: string) => t('reservations.form.confirmPaid', { amount }),
  resendTickets: (email: string) => t('reservations.form.resendTickets', { email }),
  resendConfirm: (email: string) => t('reservations.form.resendConfirm', { email }),
  thisOne: (event: string) => t('reservations.form.thisOne', { event }),
  confirmPass: (count: number, amount: string) => t('reservations.form.confirmPass', { count, amount }),
  wholeOrder: (count: number, amount: string) => t('reservations.form.wholeOrder', { count, amount }),
  onlyThis: (amount: string) => t('reservations.form.onlyThis', { amount }),
  cancelOfPass: (days: string) => t('reservations.form.cancelOfPass', { days }),
  cancelOfOrder: (days: string) => t('reservations.form.cancelOfOrder', { days }),
  cancelTickets: (count: number) => t('reservations.form.cancelTickets', { count }),
}));
