import { texts } from '../locales/shop.texts.js';

/** Texts of the pages of an account. Plain text, not escaped. */
export const accountWords = texts.perLanguage('account', ({ words, t }) => ({
  ...words,
  sentText: (email: string, minutes: number) => t('account.sentText', { email, minutes }),
  openText: (email: string) => t('account.openText', { email }),
  goneText: (minutes: number) => t('account.goneText', { minutes }),
  signedInAs: (email: string) => t('account.signedInAs', { email }),
  tickets: (count: number) => t('account.tickets', { count }),
  page: (page: number) => t('account.page', { page }),
  validUntil: (day: string) => t('account.validUntil', { day }),
  validFrom: (day: string) => t('account.validFrom', { day }),
  endedOn: (day: string) => t('account.endedOn', { day }),
  cardOf: (name: string) => t('account.cardOf', { name }),
  automaticWhat: (name: string) => t('account.automaticWhat', { name }),
  withdrawWhat: (name: string) => t('account.withdrawWhat', { name }),
  renewWhat: (name: string) => t('account.renewWhat', { name }),
  dataText: (venue: string) => t('account.dataText', { venue }),
}));

/** The texts that differ for a booking of goods alone. */
export const goodsAccountWords = texts.perLanguage('accountGoods', ({ words, t }) => ({
  ...words,
  tickets: (count: number) => t('accountGoods.tickets', { count }),
}));
