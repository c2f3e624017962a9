import type { Language } from '#kernel';
import { texts } from '../locales/pages.texts.js';

/** Texts of the public pages. Plain text, not escaped. */
export interface PageWords {
  skip: string;
  agenda: string;
  agendaFrom: (day: string) => string;
  onNow: string;
  until: (day: string, time: string) => string;
  today: string;
  tomorrow: string;
  empty: string;
  emptyHint: string;
  later: string;
  backToNow: string;
  backToAgenda: string;
  when: string;
  where: string;
  prices: string;
  volunteering: string;
  slotOpen: string;
  slotFull: string;
  about: string;
  map: string;
  free: string;
  payWhatYouWant: string;
  /** @param amount the minimum of a free price, with its currency */
  from: (amount: string) => string;
  soldOut: string;
  membersOnly: string;
  addToCalendar: string;
  /** @param host of an external event's page */
  moreAt: (host: string) => string;
  over: string;
  cancelled: string;
  /** In the agenda, beside the time. */
  cancelledShort: string;
  cancelledTitle: (name: string) => string;
  /** Before the name of the place that sends an event to a network's agenda. */
  sentBy: string;
  contact: string;
  follow: string;
  subscribe: string;
  feed: string;
  staff: string;
  menu: string;
  legalDocuments: string;
  accessMap: string;
  /** Name of the list of languages. */
  languages: string;
  imprint: string;
  terms: string;
  notFound: string;
  notFoundHint: string;
  failed: string;
  writeDate: string;
}

export const pageWords: Readonly<Record<Language, PageWords>> = texts.perLanguage('pages', ({ words, t }) => ({
  ...words,
  agendaFrom: (day) => t('pages.agendaFrom', { day }),
  until: (day, time) => t('pages.until', { day, time }),
  from: (amount) => t('pages.from', { amount }),
  moreAt: (host) => t('pages.moreAt', { host }),
  cancelledTitle: (name) => t('pages.cancelledTitle', { name }),
}));
