import { defineProblems } from '#kernel';
import { texts } from '../locales/catalogue.texts.js';

export const eventProblem = defineProblems(texts, {
  'event.unknown': { status: 404 },
  'event.option_unknown': { status: 404 },
});
