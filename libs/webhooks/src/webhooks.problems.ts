import { defineProblems } from '#kernel';
import { texts } from './locales/webhooks.texts.js';

export const problem = defineProblems(texts, {
  'webhook_endpoint.unknown': { status: 404 },
  'webhook_endpoint.too_many': { status: 409 },
  'webhook_endpoint.disabled': { status: 409 },
  'webhook_delivery.unknown': { status: 404 },
  'webhook_delivery.choose': { status: 400 },
  'webhook_event.unknown': { status: 404 },
  'webhook_event.pruned': { status: 410 },
});
