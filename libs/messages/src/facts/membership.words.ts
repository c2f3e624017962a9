import { texts } from '../locales/messages.texts.js';

/** Texts of mails that ask members to confirm or to renew. Plain text; the caller escapes it. */
export const membershipNoticeWords = texts.perLanguage('membershipNotice', ({ words, t }) => ({
  ...words,
  confirm: {
    ...words.confirm,
    subject: (venue: string) => t('membershipNotice.confirm.subject', { venue }),
    lead: (venue: string) => t('membershipNotice.confirm.lead', { venue }),
    until: (duration: string) => t('membershipNotice.confirm.until', { duration }),
  },
  renewal: {
    ...words.renewal,
    subject: (day: string) => t('membershipNotice.renewal.subject', { day }),
    lead: (venue: string, day: string, amount: string) => t('membershipNotice.renewal.lead', { venue, day, amount }),
  },
  failed: {
    ...words.failed,
    lead: (venue: string) => t('membershipNotice.failed.lead', { venue }),
    again: (day: string) => t('membershipNotice.failed.again', { day }),
    last: (day: string) => t('membershipNotice.failed.last', { day }),
  },
  reminder: {
    ...words.reminder,
    subject: (day: string) => t('membershipNotice.reminder.subject', { day }),
    lead: (venue: string, day: string) => t('membershipNotice.reminder.lead', { venue, day }),
  },
}));
