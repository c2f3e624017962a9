import { texts } from '../locales/pages.texts.js';

/** Texts of the pages after the form of a new place. Plain text. */
export const confirmWords = texts.perLanguage('confirm', ({ words, t }) => ({
  ...words,
  sent: { ...words.sent, until: (hours: number) => t('confirm.sent.until', { hours }) },
  awaited: { ...words.awaited, next: (days: number) => t('confirm.awaited.next', { days }) },
  created: {
    ...words.created,
    title: (name: string) => t('confirm.created.title', { name }),
    lead: (host: string) => t('confirm.created.lead', { host }),
    known: (email: string) => t('confirm.created.known', { email }),
  },
}));
