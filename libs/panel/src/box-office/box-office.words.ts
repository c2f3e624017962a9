import type { Text } from '#kernel';
import { texts } from '../locales/panel.texts.js';

/** Errors that the box office finds before the service is called. */
export const boxOfficeRefusals = {
  event: texts.localized('boxOffice.refusals.event'),
  tickets: texts.localized('boxOffice.refusals.tickets'),
  email: texts.localized('boxOffice.refusals.email'),
  payment: texts.localized('boxOffice.refusals.payment'),
  readerGiftCard: texts.localized('boxOffice.refusals.readerGiftCard'),
} as const satisfies Record<string, Text>;

/** Words beside the names of prices. */
export const priceWords = texts.perLanguage('boxOffice.prices', ({ t }) => ({
  /** A pass is sold for one date at the box office. */
  oneDate: (name: string): string => t('boxOffice.prices.oneDate', { name }),
}));
