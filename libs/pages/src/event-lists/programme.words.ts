import { texts } from '../locales/pages.texts.js';

/** Texts of the programme on the home page. Plain text. */
export const programmeWords = texts.perLanguage('programme', ({ words, t }) => ({
  ...words,
  left: (count: number) => t('programme.left', { count }),
  more: (count: number) => t('programme.more', { count }),
  onDay: (count: number) => t('programme.onDay', { count }),
  seriesRest: (count: number, day: string) => t('programme.seriesRest', { count, day }),
  meant: (meant: string, typed: string) => t('programme.meant', { meant, typed }),
}));
