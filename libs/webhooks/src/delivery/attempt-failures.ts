import type { Text } from '#kernel';
import { texts } from '../locales/webhooks.texts.js';

/** Reasons why an attempt failed, as shown to staff. */
export const attemptFailures = {
  status: texts.localized('attemptFailures.attemptFailures.status'),
  redirect: texts.localized('attemptFailures.attemptFailures.redirect'),
  gone: texts.localized('attemptFailures.attemptFailures.gone'),
  timeout: texts.localized('attemptFailures.attemptFailures.timeout'),
  unreachable: texts.localized('attemptFailures.attemptFailures.unreachable'),
  tls: texts.localized('attemptFailures.attemptFailures.tls'),
  address: texts.localized('attemptFailures.attemptFailures.address'),
  broken: texts.localized('attemptFailures.attemptFailures.broken'),
} as const satisfies Record<string, Text>;

export type AttemptFailure = keyof typeof attemptFailures;
