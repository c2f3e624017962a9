import type { Language } from '#kernel';
import type { ResourceWords } from '#panel-kit';
import { pictureWords } from '../forms/picture.words.js';
import { texts } from '../locales/panel.texts.js';

/** Texts of events. */
export const words: Record<Language, ResourceWords> = texts.perLanguage('events', ({ words, language }) => ({
  ...words,
  properties: { ...words.properties, ...pictureWords[language].properties },
  actions: { ...words.actions, ...pictureWords[language].actions },
  messages: { ...words.messages, ...pictureWords[language].messages },
}));

/** Texts of the forms that change an event. */
export const formWords = texts.perLanguage('events.form', ({ words, t }) => ({
  ...words,
  duplicateShared: (products: string) => t('events.form.duplicateShared', { products }),
  duplicateOwn: (products: string) => t('events.form.duplicateOwn', { products }),
  cancelReservations: (count: number) => t('events.form.cancelReservations', { count }),
  cancelKept: (count: number) => t('events.form.cancelKept', { count }),
  cancelling: (count: number) => t('events.form.cancelling', { count }),
  cancelledAll: (count: number) => t('events.form.cancelledAll', { count }),
  kept: (count: number) => t('events.form.kept', { count }),
  previewDetails: (count: number) => t('events.form.previewDetails', { count }),
}));

/** Texts of the form with which dates share their places. */
export const sharedPlacesWords = texts.perLanguage('events.sharedPlaces', ({ words, t }) => ({
  ...words,
  lead: (series: string) => t('events.sharedPlaces.lead', { series }),
  booked: (count: number, dates: number) =>
    t('events.sharedPlaces.booked', { count: String(count), dates: t('events.sharedPlaces.dates', { count: dates }) }),
}));

/** Texts of the form with which staff write to guests. */
export const messageWords = texts.perLanguage('events.message', ({ words, t }) => ({
  ...words,
  subject: (language: string) => t('events.message.subject', { language }),
  text: (language: string) => t('events.message.text', { language }),
  test: (email: string) => t('events.message.test', { email }),
  preview: (count: number) => t('events.message.preview', { count }),
}));

/** Texts of the form that sets up an event with its prices. */
export const setUpWords = texts.perLanguage('events.setUp', ({ words }) => words);

/** What the form of the first event says besides: of events that others set up meanwhile, and of its picture. */
export const firstEventWords = texts.perLanguage('events.first', ({ words, t }) => ({
  ...words,
  meanwhile: (event: string) => t('events.first.meanwhile', { event }),
}));
