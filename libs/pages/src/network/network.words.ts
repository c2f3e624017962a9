import type { Language } from '#kernel';
import { texts } from '../locales/pages.texts.js';

/** Additional texts of a network's agenda. Plain text. */
export interface NetworkWords {
  search: string;
  words: string;
  kind: string;
  anyKind: string;
  firstDay: string;
  lastDay: string;
  show: string;
  chosen: string;
  place: string;
  tag: string;
  /** @param what a chosen filter, such as `Place: Demo` */
  takeOff: (what: string) => string;
  showAll: string;
  nothing: string;
  nothingHint: string;
  tags: string;
  places: string;
  placesLead: string;
  noPlaces: string;
  comingEvents: (count: number) => string;
  noEvents: string;
  ownPage: string;
  inAgenda: string;
  createPlace: string;
}

export const networkWords: Readonly<Record<Language, NetworkWords>> = texts.perLanguage('network', ({ words, t }) => ({
  ...words,
  takeOff: (what) => t('network.takeOff', { what }),
  comingEvents: (count) => t('network.comingEvents', { count }),
}));
