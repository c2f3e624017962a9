import { RefusedInputs } from '#kernel';
import { answersOfSale, type Rule } from './sale.js';

/** Required questions are answered, answers fit their questions, and each answer has a question. */
export const answers: Rule = {
  name: 'answers',
  refuse(sale) {
    // They come with the contact.
    if (sale.email === undefined) return [];
    try {
      answersOfSale(sale);
      return [];
    } catch (error) {
      if (error instanceof RefusedInputs) return error.faults;
      throw error;
    }
  },
};
