import { defineProblems } from '#kernel';
import { texts } from './locales/payments.texts.js';

/** Problems of payments, for all APIs. */
export const paymentProblem = defineProblems(texts, {
  'payment.event_refused': { status: 400 },
  'payment.unavailable': { status: 503 },
  'payment.refused': { status: 409 },
});
