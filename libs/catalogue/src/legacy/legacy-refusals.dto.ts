import { kernelProblem, RefusedInput } from '#kernel';
import { RefusedProduct } from '../products/product-rules.js';
import { productProblem } from '../products/products.problems.js';

/** Where a body holds what a service calls otherwise. */
const pointers: Readonly<Record<string, string>> = {
  category: 'categorie_article',
  shortDescription: 'short_description',
  longDescription: 'long_description',
  termsAndConditions: 'terms_and_conditions_document',
  sendToCashless: 'send_to_cashless',
  productId: 'product',
  amount: 'prix',
  maxPerUser: 'max_per_user',
  subscriptionType: 'subscription_type',
  requiredMembershipId: 'adhesion_obligatoire',
};

/** Does a service's work; what it refuses is told in the words of the body. */
export async function inLegacyWords<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof RefusedProduct) throw productProblem(`product.${error.reason}`);
    if (!(error instanceof RefusedInput)) throw error;
    const { field, message } = error;
    const fault = { pointer: `/${pointers[field] ?? field}`, code: 'refused', detail: message };
    throw kernelProblem('body.invalid', { errors: [fault] });
  }
}
