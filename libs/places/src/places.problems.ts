import { defineProblems } from '#kernel';
import { texts } from './locales/places.texts.js';

export const problem = defineProblems(texts, {
  'place.unknown': { status: 404 },
  'place.permission': { status: 403 },
  'place.exists': { status: 409 },
  'place.root_exists': { status: 409 },
  'place.form_full': { status: 429 },
});
