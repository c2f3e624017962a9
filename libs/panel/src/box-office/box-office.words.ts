import type { Text } from '#kernel';
import { texts } from '../locales/panel.texts.js';

/** Errors that the box office finds before the service is called. */
export const boxOfficeRefusals = {
  event: texts.localized('boxOffice.boxOfficeRefusals.event'),
  tickets: texts.localized('boxOffice.boxOfficeRefusals.tickets'),
  email: texts.localized('boxOffice.boxOfficeRefusals.email'),
  payment: texts.localized('boxOffice.boxOfficeRefusals.payment'),
} as const satisfies Record<string, Text>;
