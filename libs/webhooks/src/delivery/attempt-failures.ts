import type { Text } from '#kernel';
import { texts } from '../locales/webhooks.texts.js';

/** Reasons why an attempt failed, as shown to staff. */
export const attemptFailures = {
  status: texts.localized('attemptFailures.status'),
  redirect: texts.localized('attemptFailures.redirect'),
  gone: texts.localized('attemptFailures.gone'),
  timeout: texts.localized('attemptFailures.timeout'),
  unreachable: texts.localized('attemptFailures.unreachable'),
  tls: texts.localized('attemptFailures.tls'),
  address: texts.localized('attemptFailures.address'),
  broken: texts.localized('attemptFailures.broken'),
} as const satisfies Record<string, Text>;

export type AttemptFailure = keyof typeof attemptFailures;
