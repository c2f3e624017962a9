import { isVisible, RefusedInput, refuseUnfitTexts, violatedConstraint, type Text, type TextLimits } from '#kernel';
import { productCategories, productKinds, type ProductCategory } from '../values/catalogue-codes.js';
import { cleanHtml, plainText } from '../values/event-text.js';
import type { Product } from '../entities/product.entity.js';

/** Why a product or one of its prices cannot be stored or deleted although each of its fields is valid. */
export type ProductConflict = 'exists' | 'cashless_taken' | 'sold' | 'required' | 'offer_sold' | 'last_free_offer';

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
  sold: {
    field: 'id',
    text: {
      en: 'This product was sold: unpublish it instead.',
      fr: 'Ce produit a été vendu : dépubliez-le plutôt.',
    },
  },
  required: {
    field: 'id',
    text: {
      en: 'Prices require this membership: let them require another one first.',
      fr: 'Des tarifs exigent cette adhésion : faites-leur d’abord en exiger une autre.',
    },
  },
  offer_sold: {
    field: 'id',
    text: {
      en: 'Something was sold at this price: unpublish it instead.',
      fr: 'Ce tarif a servi à une vente : dépubliez-le plutôt.',
    },
  },
  last_free_offer: {
    field: 'id',
    text: {
      en: 'This is the only price at which a free booking can be had for nothing: publish another one first.',
      fr: 'C’est le seul tarif auquel une réservation gratuite s’obtient pour rien : publiez-en d’abord un autre.',
    },
  },
};

/** An error with its own reason and the form field that shows it. */
export class RefusedProduct extends RefusedInput {
  constructor(readonly reason: ProductConflict) {
    super(conflicts[reason].field, conflicts[reason].text);
  }
}

type Texts = Partial<Pick<Product, 'name' | 'shortDescription'> & Record<'longDescription' | 'termsAndConditions', string | null>>;

/**
 * Sanitises descriptions of products and prices when they are stored; names are plain text (docs/decisions.md, section 9).
 * @throws RefusedInput on a text that is too long or invalid; checked first, because sanitising takes time
 */
export function cleanedTexts<Change extends Texts>(change: Change, limits: TextLimits): Change {
  refuseUnfitTexts(change, limits);
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

function refuseCashlessGoods({ category, sendToCashless }: { category: ProductCategory; sendToCashless?: boolean }): void {
  if (!sendToCashless || productKinds[category] === 'membership') return;
  throw new RefusedInput('sendToCashless', {
    en: 'Only a membership (kind A) is recorded on cashless cards.',
    fr: 'Seule une adhésion (type A) s’inscrit sur les cartes cashless.',
  });
}

/** @throws RefusedInput on name */
export function refuseUnlessName(name: string | null | undefined, missing: Text): void {
  if (!isVisible(name ?? '')) throw new RefusedInput('name', missing);
}

/** Translates a constraint violation into an error for the user; undefined for other errors. */
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
