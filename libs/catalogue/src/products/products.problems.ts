import { defineProblems } from '#kernel';
import { texts } from '../locales/catalogue.texts.js';

export const productProblem = defineProblems(texts, {
  'product.unknown': { status: 404 },
  'product.sold': { status: 409 },
  'product.required': { status: 409 },
  'product.offer_unknown': { status: 404 },
  'product.offer_sold': { status: 409 },
  'product.last_free_offer': { status: 409 },
  'product.exists': { status: 409 },
  'product.cashless_taken': { status: 409 },
});
