import { dayWords, timeWords, type Language } from '#kernel';
import { texts } from '../locales/places.texts.js';

/** Texts of mails about new places. Plain text. */
export const signupMailWords = texts.perLanguage('signupMail', ({ words, t }) => ({
  ...words,
  confirm: {
    ...words.confirm,
    subject: (server: string) => t('signupMail.confirm.subject', { server }),
    lead: (server: string) => t('signupMail.confirm.lead', { server }),
  },
  approval: {
    ...words.approval,
    lead: (server: string) => t('signupMail.approval.lead', { server }),
  },
  refusal: {
    ...words.refusal,
    subject: (server: string) => t('signupMail.refusal.subject', { server }),
    lead: (name: string, server: string) => t('signupMail.refusal.lead', { name, server }),
  },
  invitation: {
    ...words.invitation,
    subject: (server: string) => t('signupMail.invitation.subject', { server }),
    lead: (server: string) => t('signupMail.invitation.lead', { server }),
  },
  created: {
    ...words.created,
    subject: (name: string) => t('signupMail.created.subject', { name }),
    lead: (name: string, host: string) => t('signupMail.created.lead', { name, host }),
  },
  until: (end: Date, language: Language, timeZone: string) =>
    t('signupMail.until', { day: dayWords(end, language, timeZone), time: timeWords(end, language, timeZone) }),
  footer: (server: string) => t('signupMail.footer', { server }),
}));
