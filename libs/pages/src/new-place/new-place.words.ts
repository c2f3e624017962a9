import type { Language } from '#kernel';
import { texts } from '../locales/pages.texts.js';

/** Texts of the form for a new place. Plain text. */
export interface NewPlaceWords {
  title: string;
  lead: string;
  required: string;
  optional: string;
  faults: (count: number) => string;
  kind: { legend: string };
  about: { legend: string; name: string; nameHint: string; text: string; textHint: string };
  address: {
    legend: string;
    label: string;
    hint: (suffix: string) => string;
    check: string;
    free: (host: string) => string;
  };
  you: {
    legend: string;
    email: string;
    emailHint: string;
    emailInvited: string;
    showEmail: string;
    phone: string;
    website: string;
  };
  where: { legend: string; street: string; code: string; city: string; country: string; noCountry: string };
  pictures: {
    legend: string;
    hint: string;
    image: string;
    imageHint: string;
    logo: string;
    logoHint: string;
    file: string;
    url: string;
    kept: string;
    remove: string;
    again: string;
  };
  settings: { legend: string; language: string; timeZone: string };
  terms: { label: string; links: string; readTerms: string; readImprint: string };
  send: string;
  sendInvited: string;
  next: string;
  nextInvited: string;
  privacy: (hours: number) => string;
}

export const newPlaceWords: Readonly<Record<Language, NewPlaceWords>> = texts.perLanguage('newPlace', ({ words, t }) => ({
  ...words,
  faults: (count) => t('newPlace.faults', { count }),
  address: {
    ...words.address,
    hint: (suffix) => t('newPlace.address.hint', { suffix }),
    free: (host) => t('newPlace.address.free', { host }),
  },
  privacy: (hours) => t('newPlace.privacy', { hours }),
}));
