import { texts } from '../locales/messages.texts.js';

/** Texts of the mail with the link to an account. Plain text; the caller escapes it. */
export const accountMailWords = texts.perLanguage('account', ({ words, t }) => ({
  ...words,
  subject: (venue: string) => t('account.subject', { venue }),
  lead: (venue: string) => t('account.lead', { venue }),
  until: (duration: string) => t('account.until', { duration }),
  footer: (venue: string) => t('account.footer', { venue }),
}));
