import { texts } from '../locales/shop.texts.js';

/** Texts of the pages of memberships. Plain text, not escaped. */
export const membershipWords = texts.perLanguage('memberships', ({ words, t }) => ({
  ...words,
  needs: (name: string) => t('memberships.needs', { name }),
  amountFrom: (amount: string) => t('memberships.amountFrom', { amount }),
  pay: (amount: string) => t('memberships.pay', { amount }),
  sentText: (email: string) => t('memberships.sentText', { email }),
  cardSent: (email: string) => t('memberships.cardSent', { email }),
  endsOn: (day: string) => t('memberships.endsOn', { day }),
  endedOn: (day: string) => t('memberships.endedOn', { day }),
  insteadOf: (amount: string, full: string) => t('memberships.insteadOf', { amount, full }),
  renewsOn: (day: string, amount: string) => t('memberships.renewsOn', { day, amount }),
  newPeriod: (from: string, until: string) => t('memberships.newPeriod', { from, until }),
  renewed: (day: string) => t('memberships.renewed', { day }),
}));
