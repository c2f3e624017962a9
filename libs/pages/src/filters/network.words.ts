import { texts } from '../locales/pages.texts.js';

/** Additional texts of a network’s agenda. Plain text. */
export const networkWords = texts.perLanguage('network', ({ words, t }) => ({
  ...words,
  takeOff: (what: string) => t('network.takeOff', { what }),
  comingEvents: (count: number) => t('network.comingEvents', { count }),
}));
