import { defineProblems } from '#kernel';
import { texts } from './locales/payments.texts.js';

/** What payments refuse, whichever API asks. */
export const paymentProblem = defineProblems(texts, {
  'payment.event_refused': { status: 400 },
  'payment.unavailable': { status: 503 },
  'payment.refused': { status: 409 },
});
