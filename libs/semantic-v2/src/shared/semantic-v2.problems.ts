import { defineProblems } from '#kernel';
import { texts } from '../locales/semantic-v2.texts.js';

export const problem = defineProblems(texts, {
  'event.exists': { status: 409 },
  'event.super_event_required': { status: 400 },
  'event.has_reservations': { status: 409 },
  'event.has_sub_events': { status: 409 },
  'event.option_exists': { status: 409 },
  'event.option_chosen': { status: 409 },
  'postal_address.unknown': { status: 404 },
  'card.unknown': { status: 404 },
});
