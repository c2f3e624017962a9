import type { Text } from '#kernel';
import { texts } from '../locales/panel.texts.js';

/** What the box office refuses by itself, before the sale is tried. */
export const boxOfficeRefusals = {
  event: texts.localized('boxOffice.boxOfficeRefusals.event'),
  tickets: texts.localized('boxOffice.boxOfficeRefusals.tickets'),
  email: texts.localized('boxOffice.boxOfficeRefusals.email'),
  payment: texts.localized('boxOffice.boxOfficeRefusals.payment'),
} as const satisfies Record<string, Text>;
