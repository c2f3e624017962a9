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
  act: (
    name: keyof typeof words.acts,
    { place, at, timeZone, language }: { place: string; at: Date; timeZone: string; language: Language },
  ) => {
    const facts = { place, day: dayWords(at, language, timeZone), time: timeWords(at, language, timeZone) };
    return { subject: t(`staffMail.acts.${name}.subject`, facts), lead: t(`staffMail.acts.${name}.lead`, facts) };
  },
}));

/** The kinds of security mails. */
export type StaffAct = keyof (typeof staffMailWords)['en']['acts'];
