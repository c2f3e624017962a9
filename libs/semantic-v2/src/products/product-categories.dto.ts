import { productCategories, type ProductCategory } from '#catalogue';
import { folded } from '../shared/folded.js';

/** Words for categories beside their labels. */
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

/** What a body may say, each once. */
export const productCategoryWords = [...new Map(words.map(([word]) => [folded(word), word])).values()];

/** The category that a label in either language, or a code, names; undefined when none does. */
export function productCategoryOf(word: unknown): ProductCategory | undefined {
  return typeof word === 'string' && word.length <= 200 ? byWord.get(folded(word)) : undefined;
}
