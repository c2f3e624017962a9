import { refusalsOf } from '#kernel';
import { answersOfSale, type Rule } from './sale.js';

/** Required questions are answered, answers fit their questions, and each answer has a question. */
export const answers: Rule = {
  name: 'answers',
  // They come with the contact.
  refuse: (sale) => (sale.email === undefined ? [] : refusalsOf(() => answersOfSale(sale))),
};
