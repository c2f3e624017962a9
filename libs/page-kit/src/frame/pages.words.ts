import type { Language } from '#kernel';
import type { TenantIdentity } from '#tenancy';
import { texts } from '../locales/page-kit.texts.js';

/** Texts of the public pages. Plain text, not escaped. */
export const pageWords = texts.perLanguage('pages', ({ words, t }) => ({
  ...words,
  agendaFrom: (day: string) => t('pages.agendaFrom', { day }),
  held: (count: number, until: string) => t('pages.held', { count, until }),
  until: (day: string, time: string) => t('pages.until', { day, time }),
  from: (amount: string) => t('pages.from', { amount }),
  salesFrom: (time: string) => t('pages.salesFrom', { time }),
  salesUntil: (time: string) => t('pages.salesUntil', { time }),
  doubtedAddress: t('pages.doubtedAddress', { address: '{address}' }),
  moreAt: (host: string) => t('pages.moreAt', { host }),
  cancelledTitle: (name: string) => t('pages.cancelledTitle', { name }),
}));

export type PageWords = (typeof pageWords)[Language];

/** The name of the page about a venue; festivals, projects and producers have no house. */
export function houseTitle({ category }: Pick<TenantIdentity, 'category'>, language: Language): string {
  const { house, aboutUs } = pageWords[language];
  return category === 'S' ? house : aboutUs;
}
