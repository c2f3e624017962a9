import { RefusedProduct, productProblem } from '#catalogue';
import { refusalProblem } from '#http';

refusalProblem(RefusedProduct, ({ reason }) => productProblem(`product.${reason}`));

/** Members of the body by the field names of the services. */
const members: Readonly<Record<string, string>> = {
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

/** The JSON pointer of a service's field; undefined when the body has no such member. */
export function legacyPointers(field: string): string | undefined {
  return members[field] && `/${members[field]}`;
}
