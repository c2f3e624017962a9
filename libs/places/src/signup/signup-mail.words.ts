import { dayWords, timeWords, type Language } from '#kernel';
import { texts } from '../locales/places.texts.js';

interface LinkWords {
  readonly subject: (server: string) => string;
  readonly lead: (server: string) => string;
  readonly label: string;
}

/** Texts of mails about new places. Plain text. */
interface SignupMailWords {
  readonly confirm: LinkWords;
  readonly invitation: LinkWords;
  readonly created: {
    readonly subject: (name: string) => string;
    readonly lead: (name: string, host: string) => string;
    readonly choose: string;
    readonly known: string;
    readonly password: string;
    readonly signIn: string;
  };
  readonly until: (end: Date, language: Language, timeZone: string) => string;
  readonly copy: string;
  readonly unasked: string;
  readonly footer: (server: string) => string;
}

export const signupMailWords: Readonly<Record<Language, SignupMailWords>> = texts.perLanguage('signupMail', ({ words, t }) => ({
  ...words,
  confirm: {
    ...words.confirm,
    subject: (server) => t('signupMail.confirm.subject', { server }),
    lead: (server) => t('signupMail.confirm.lead', { server }),
  },
  invitation: {
    ...words.invitation,
    subject: (server) => t('signupMail.invitation.subject', { server }),
    lead: (server) => t('signupMail.invitation.lead', { server }),
  },
  created: {
    ...words.created,
    subject: (name) => t('signupMail.created.subject', { name }),
    lead: (name, host) => t('signupMail.created.lead', { name, host }),
  },
  until: (end, language, timeZone) =>
    t('signupMail.until', { day: dayWords(end, language, timeZone), time: timeWords(end, language, timeZone) }),
  footer: (server) => t('signupMail.footer', { server }),
}));
