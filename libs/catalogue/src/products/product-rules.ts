import { RefusedInput, violatedConstraint, type Text } from '#kernel';
import { productCategories, productKinds, type ProductCategory } from '../catalogue-codes.js';
import { cleanHtml, plainText } from '../events/event-text.js';
import type { Product } from '../product.entity.js';

/** Why a product cannot be stored although each of its fields is fit. */
export type ProductConflict = 'exists' | 'cashless_taken';

const conflicts: Readonly<Record<ProductConflict, { readonly field: string; readonly text: Text }>> = {
  exists: {
    field: 'name',
    text: {
      en: 'A product of this kind and name exists already.',
      fr: 'Un produit de ce type et de ce nom existe déjà.',
    },
  },
  cashless_taken: {
    field: 'sendToCashless',
    text: {
      en: 'Another product is recorded on cashless cards already. Only one can be.',
      fr: 'Un autre produit est déjà inscrit sur les cartes cashless. Un seul peut l’être.',
    },
  },
};

/** A refusal with a reason of its own, beside the field that a form shows it at. */
export class RefusedProduct extends RefusedInput {
  constructor(readonly reason: ProductConflict) {
    super(conflicts[reason].field, conflicts[reason].text);
  }
}

type Texts = Partial<
  Pick<Product, 'name' | 'shortDescription'> & Record<'longDescription' | 'termsAndConditions', string | null>
>;

/** Decisions 9: descriptions are cleaned at the way in. A name is the text that it is. Products and prices alike. */
export function cleanedTexts<Change extends Texts>(change: Change): Change {
  const texts: Texts = {
    ...(typeof change.name === 'string' && { name: change.name.trim() }),
    ...(change.shortDescription && { shortDescription: plainText(change.shortDescription) || null }),
    ...(change.longDescription && { longDescription: cleanHtml(change.longDescription) || null }),
    ...(change.termsAndConditions && { termsAndConditions: cleanHtml(change.termsAndConditions) || null }),
  };
  return { ...change, ...texts };
}

/** @throws RefusedInput on name, category or sendToCashless */
export function checkProduct(product: Pick<Product, 'name' | 'category'> & { sendToCashless?: boolean }): void {
  refuseUnlessName(product.name, { en: 'Give the product a name.', fr: 'Donnez un nom au produit.' });
  if (!Object.hasOwn(productCategories, product.category ?? '')) {
    throw new RefusedInput('category', {
      en: 'Choose what kind of product it is.',
      fr: 'Choisissez le type de produit.',
    });
  }
  refuseCashlessGoods(product);
}

function refuseCashlessGoods({
  category,
  sendToCashless,
}: {
  category: ProductCategory;
  sendToCashless?: boolean;
}): void {
  if (!sendToCashless || productKinds[category] === 'membership') return;
  throw new RefusedInput('sendToCashless', {
    en: 'Only a membership (kind A) is recorded on cashless cards.',
    fr: 'Seule une adhésion (type A) s’inscrit sur les cartes cashless.',
  });
}

/** @throws RefusedInput on name */
export function refuseUnlessName(name: string | null | undefined, missing: Text): void {
  if (!name?.trim()) throw new RefusedInput('name', missing);
  if (name.length <= 300) return;
  throw new RefusedInput('name', { en: 'Use at most 300 characters.', fr: 'Utilisez au plus 300 caractères.' });
}

/** What PostgreSQL refused, as a person can correct it; undefined for errors that are ours. */
export function refusalOf(error: unknown): RefusedProduct | undefined {
  switch (violatedConstraint(error)) {
    case 'product_category_name_key':
      return new RefusedProduct('exists');
    case 'product_one_cashless':
      return new RefusedProduct('cashless_taken');
    default:
      return undefined;
  }
}
