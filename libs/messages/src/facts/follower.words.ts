import { texts } from '../locales/messages.texts.js';

/** Texts of mails to people who follow a venue. Plain text; the caller escapes it. */
export const followerMailWords = texts.perLanguage('follower', ({ words, t }) => ({
  ...words,
  footer: (venue: string) => t('follower.footer', { venue }),
  confirm: {
    ...words.confirm,
    subject: (venue: string) => t('follower.confirm.subject', { venue }),
    lead: (venue: string) => t('follower.confirm.lead', { venue }),
    footer: (venue: string) => t('follower.confirm.footer', { venue }),
  },
  sale: {
    ...words.sale,
    confirmSubject: (event: string) => t('follower.sale.confirmSubject', { event }),
    confirmLead: (event: string) => t('follower.sale.confirmLead', { event }),
    subject: (event: string) => t('follower.sale.subject', { event }),
    lead: (event: string) => t('follower.sale.lead', { event }),
    footer: (venue: string) => t('follower.sale.footer', { venue }),
  },
  newDates: {
    ...words.newDates,
    subject: (count: number, event: string, venue: string) => t('follower.newDates.subject', { count, event, venue }),
    lead: (count: number, venue: string) => t('follower.newDates.lead', { count, venue }),
    more: (count: number) => t('follower.newDates.more', { count }),
  },
}));
