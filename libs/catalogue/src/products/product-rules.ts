import { isVisible, RefusedInput, refuseUnfitTexts, violatedConstraint, type Text, type TextLimits } from '#kernel';
import { productCategories, productKinds, type ProductCategory } from '../values/catalogue-codes.js';
import { cleanHtml, plainText } from '../values/event-text.js';
import type { Product } from '../entities/product.entity.js';
import { texts } from '../locales/catalogue.texts.js';

/** Why a product or one of its prices cannot be stored or deleted although each of its fields is valid. */
export type ProductConflict = 'exists' | 'cashless_taken' | 'sold' | 'required' | 'offer_sold' | 'last_free_offer';

const conflicts: Readonly<Record<ProductConflict, { readonly field: string; readonly text: Text }>> = {
  exists: {
    field: 'name',
    text: texts.localized('productRules.conflicts.exists'),
  },
  cashless_taken: {
    field: 'sendToCashless',
    text: texts.localized('productRules.conflicts.cashlessTaken'),
  },
  sold: {
    field: 'id',
    text: texts.localized('productRules.conflicts.sold'),
  },
  required: {
    field: 'id',
    text: texts.localized('productRules.conflicts.required'),
  },
  offer_sold: {
    field: 'id',
    text: texts.localized('productRules.conflicts.offerSold'),
  },
  last_free_offer: {
    field: 'id',
    text: texts.localized('productRules.conflicts.lastFreeOffer'),
  },
};

/** An error with its own reason and the form field that shows it. */
export class RefusedProduct extends RefusedInput {
  constructor(readonly reason: ProductConflict) {
    super(conflicts[reason].field, conflicts[reason].text);
  }
}

type Texts = Partial<
  Pick<Product, 'name' | 'shortDescription'> & Record<'longDescription' | 'termsAndConditions' | 'doorNote', string | null>
>;

/**
 * Sanitises descriptions of products and prices when they are stored; names are plain text (docs/decisions.md, section 9).
 * @throws RefusedInput on a text that is too long or invalid; checked first, because sanitising takes time
 */
export function cleanedTexts<Change extends Texts>(change: Change, limits: TextLimits): Change {
  refuseUnfitTexts(change, limits);
  const texts: Texts = {
    ...(typeof change.name === 'string' && { name: change.name.trim() }),
    ...(change.shortDescription && { shortDescription: plainText(change.shortDescription) || null }),
    ...(typeof change.doorNote === 'string' && { doorNote: plainText(change.doorNote) || null }),
    ...(change.longDescription && { longDescription: cleanHtml(change.longDescription) || null }),
    ...(change.termsAndConditions && { termsAndConditions: cleanHtml(change.termsAndConditions) || null }),
  };
  return { ...change, ...texts };
}

/** @throws RefusedInput on name, category or sendToCashless */
export function checkProduct(product: Pick<Product, 'name' | 'category'> & { sendToCashless?: boolean }): void {
  refuseUnlessName(product.name, texts.localized('productRules.nameMissing'));
  if (!Object.hasOwn(productCategories, product.category ?? '')) {
    throw new RefusedInput('category', texts.localized('productRules.kindMissing'));
  }
  refuseCashlessGoods(product);
}

function refuseCashlessGoods({ category, sendToCashless }: { category: ProductCategory; sendToCashless?: boolean }): void {
  if (!sendToCashless || productKinds[category] === 'membership') return;
  throw new RefusedInput('sendToCashless', texts.localized('productRules.cashlessMembershipOnly'));
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
