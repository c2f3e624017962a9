import { productCategories, type ProductCategory } from '#catalogue';
import { folded } from '../shared/folded.js';

/** Further accepted words for categories, besides their labels. */
const others: readonly (readonly [string, ProductCategory])[] = [
  ['Ticket booking', 'B'],
  ['Free booking', 'F'],
  ['Réservation gratuite', 'F'],
  ['Subscription or membership', 'A'],
  ['Membership', 'A'],
  ['Subscription', 'A'],
  ['Adhésion', 'A'],
  ['Abonnement', 'A'],
];
const words: readonly (readonly [string, ProductCategory])[] = [
  ...Object.entries(productCategories).flatMap(([code, labels]) => [
    [code, code as ProductCategory] as const,
    ...Object.values(labels).map((label) => [label, code as ProductCategory] as const),
  ]),
  ...others,
];
const byWord = new Map(words.map(([word, category]) => [folded(word), category]));

/** All distinct accepted words. */
export const productCategoryWords = [...new Map(words.map(([word]) => [folded(word), word])).values()];

/** The category of a label in any language, of a code or another accepted word; undefined when there is none. */
export function productCategoryOf(word: unknown): ProductCategory | undefined {
  return typeof word === 'string' && word.length <= 200 ? byWord.get(folded(word)) : undefined;
}
