import { texts } from '../locales/panel.texts.js';

/** Texts of the page with the first steps of a new place. */
export const welcomeWords = texts.perLanguage('welcome', ({ words, t }) => ({
  ...words,
  title: (place: string) => t('welcome.title', { place }),
  cancelDays: (count: number) => t('welcome.event.cancelDays', { count }),
}));
