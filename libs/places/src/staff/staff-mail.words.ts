import { dayWords, timeWords, type Language } from '#kernel';
import { texts } from '../locales/places.texts.js';

/** Texts of mails to people who sign in to panels. Plain text. */
export const staffMailWords = texts.perLanguage('staffMail', ({ words, t }) => ({
  ...words,
  hello: (name: string) => t('staffMail.hello', { name }),
  footer: (place: string) => t('staffMail.footer', { place }),
  link: {
    ...words.link,
    subject: (place: string) => t('staffMail.link.subject', { place }),
    lead: (place: string) => t('staffMail.link.lead', { place }),
    until: (minutes: number) => t('staffMail.link.until', { minutes }),
  },
  invitation: {
    ...words.invitation,
    subject: (name: string, place: string) => t('staffMail.invitation.subject', { name, place }),
    subjectOfOperator: (place: string) => t('staffMail.invitation.subjectOfOperator', { place }),
    lead: (name: string, place: string) => t('staffMail.invitation.lead', { name, place }),
    leadOfOperator: (place: string) => t('staffMail.invitation.leadOfOperator', { place }),
    line: (name: string, text: string) => t('staffMail.invitation.line', { name, text }),
    howNew: (days: number) => t('staffMail.invitation.howNew', { days }),
    howKnown: (days: number) => t('staffMail.invitation.howKnown', { days }),
    forYou: (email: string) => t('staffMail.invitation.forYou', { email }),
    footer: (place: string) => t('staffMail.invitation.footer', { place }),
  },
  act: (
    name: keyof typeof words.acts,
    { place, at, who, timeZone, language }: { place: string; at: Date; who: string; timeZone: string; language: Language },
  ) => {
    const facts = { place, who, day: dayWords(at, language, timeZone), time: timeWords(at, language, timeZone) };
    return { subject: t(`staffMail.acts.${name}.subject`, facts), lead: t(`staffMail.acts.${name}.lead`, facts) };
  },
}));

/** The kinds of security mails. */
export type StaffAct = keyof (typeof staffMailWords)['en']['acts'];
