import type { Language } from '#kernel';
import { texts } from '../locales/pages.texts.js';

/** Texts of the pages after the form of a new place. Plain text. */
export interface ConfirmWords {
  sent: { title: string; text: string; spam: string; until: (hours: number) => string; kept: string; back: string };
  confirm: {
    title: string;
    lead: string;
    name: string;
    kind: string;
    host: string;
    admin: string;
    button: string;
    hint: string;
  };
  taken: { title: string; name: string; slug: string; button: string };
  created: {
    title: (name: string) => string;
    lead: (host: string) => string;
    choose: string;
    chooseHint: (least: number) => string;
    password: string;
    save: string;
    faults: string;
    known: (email: string) => string;
    set: string;
    signIn: string;
    visit: string;
  };
  over: { title: string; text: string; again: string };
  closed: { title: string; text: string };
}

export const confirmWords: Readonly<Record<Language, ConfirmWords>> = texts.perLanguage('confirm', ({ words, t }) => ({
  ...words,
  sent: { ...words.sent, until: (hours) => t('confirm.sent.until', { hours }) },
  created: {
    ...words.created,
    title: (name) => t('confirm.created.title', { name }),
    lead: (host) => t('confirm.created.lead', { host }),
    chooseHint: (least) => t('confirm.created.chooseHint', { least }),
    known: (email) => t('confirm.created.known', { email }),
  },
}));
