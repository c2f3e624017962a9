import { texts } from '../../locales/pages.texts.js';

/** Texts of the withdrawal from a contract. Its buttons have the words of article 11a of Directive 2011/83/EU in each language. */
export const withdrawalWords = texts.perLanguage('withdrawal', ({ words, t }) => ({
  ...words,
  until: (day: string) => t('withdrawal.until', { day }),
  lead: (venue: string) => t('withdrawal.lead', { venue }),
  statement: (venue: string) => t('withdrawal.statement', { venue }),
  told: (email: string) => t('withdrawal.told', { email }),
  refund: (amount: string) => t('withdrawal.refund', { amount }),
  done: (time: string, zone: string) => t('withdrawal.done', { time, zone }),
  over: (day: string) => t('withdrawal.over', { day }),
}));
