import { texts } from '../locales/shop.texts.js';

/** Texts of the page of the booking queue. Plain text, not escaped. */
export const queueWords = texts.perLanguage('queue', ({ words, t }) => ({
  ...words,
  position: (number: number) => t('queue.position', { number }),
  seconds: (number: number) => t('queue.seconds', { number }),
  minutes: (number: number) => t('queue.minutes', { number }),
}));
