import { texts } from '../locales/pages.texts.js';

/** Texts of the form for a new place. Plain text. */
export const newPlaceWords = texts.perLanguage('newPlace', ({ words, t }) => ({
  ...words,
  faults: (count: number) => t('newPlace.faults', { count }),
  address: {
    ...words.address,
    hint: (suffix: string) => t('newPlace.address.hint', { suffix }),
    free: (host: string) => t('newPlace.address.free', { host }),
  },
  settings: {
    ...words.settings,
    timeZoneHint: (zone: string) => t('newPlace.settings.timeZoneHint', { zone: zone.replaceAll('_', ' ') }),
  },
  nextApproval: (days: number) => t('newPlace.nextApproval', { days }),
  privacy: (hours: number) => t('newPlace.privacy', { hours }),
}));
