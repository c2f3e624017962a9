import { defineProblems } from '#kernel';
import { texts } from '../locales/catalogue.texts.js';

export const problem = defineProblems(texts, {
  'image.unknown': { status: 404 },
  'image.busy': { status: 503 },
});
