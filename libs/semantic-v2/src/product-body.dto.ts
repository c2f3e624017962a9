import { amountOf, isAmount, subscriptionTypes } from '#catalogue';
import type { NewPrice, NewWholeProduct, ProductCategory, SubscriptionType } from '#catalogue';
import { may, mayHold, mayList, must, optionalText, optionalWhole, text, whenSent } from '#kernel';
import { ValidateIf } from 'class-validator';
import { mayHaveProperties, type PropertyValue } from './booking-members.dto.js';
import {
  formFieldPointers,
  FormFieldsPropertyBody,
  mayHaveFormFields,
  toQuestions,
  type FormFieldBody,
} from './form-fields.dto.js';
import { productCategoryOf } from './product-categories.dto.js';
import { referenceOf, referencesOf, type Reference } from './references.dto.js';

class InventoryLevelBody {
  @optionalWhole(0)
  value?: number | null;
}

class EligibleQuantityBody {
  @optionalWhole(1)
  maxValue?: number | null;
}

class OfferBody {
  @text(1, 200)
  name!: string;

  @must('isAmount', isAmount, {
    en: 'Send an amount from 0 to 99999999.99 with at most two decimals.',
    fr: 'Envoyez un montant de 0 à 99999999.99 avec deux décimales au plus.',
  })
  price!: string | number;

  @may('isCurrency', (value) => value === 'EUR', {
    en: 'Send EUR: there is no other currency.',
    fr: "Envoyez EUR : il n'y a pas d'autre devise.",
  })
  priceCurrency?: string | null;

  @mayHold(InventoryLevelBody)
  inventoryLevel?: InventoryLevelBody | null;

  /** A shorter spelling of inventoryLevel.value, which wins. */
  @optionalWhole(0)
  stock?: number | null;

  @mayHold(EligibleQuantityBody)
  eligibleQuantity?: EligibleQuantityBody | null;

  @may('isSubscriptionType', (value) => typeof value === 'string' && Object.hasOwn(subscriptionTypes, value), {
    en: 'Send Y (yearly) or M (monthly).',
    fr: 'Envoyez Y (annuelle) ou M (mensuelle).',
  })
  subscriptionType?: string | null;

  @may('isReference', (value) => referenceOf(value, '') !== undefined, {
    en: 'Send the UUID of a membership product.',
    fr: "Envoyez l'UUID d'un produit d'adhésion.",
  })
  membershipRequiredProduct?: unknown;
}

/** Body of `POST /api/v2/products/`. */
export class NewProductBody {
  @text(1, 200)
  name!: string;

  @optionalText(100_000)
  description?: string | null;

  @must('isCategory', (value) => productCategoryOf(value) !== undefined, {
    en: 'Send a category such as Ticket, Free booking or Membership, or its code.',
    fr: 'Envoyez une catégorie telle que Billet, Réservation gratuite ou Adhésion, ou son code.',
  })
  category!: string;

  @mayList(OfferBody, () => true, {
    en: 'Send a list of at most 50 offers.',
    fr: 'Envoyez une liste de 50 offres au plus.',
  })
  offers?: OfferBody[] | null;

  @may('isReferences', (value) => referencesOf(value, '') !== undefined, {
    en: 'Send the UUID of an event, an object with it as identifier, or a list of at most 100 of these.',
    fr: "Envoyez l'UUID d'un événement, un objet avec identifier, ou une liste de 100 au plus.",
  })
  isRelatedTo?: unknown;

  @mayHaveFormFields()
  formFields?: FormFieldBody[] | null;

  @mayHaveProperties({}, { formFields: FormFieldsPropertyBody })
  additionalProperty?: PropertyValue[] | null;
}

/** Body of `POST /api/v2/events/{id}/link-product/`. */
export class LinkProductsBody {
  @ValidateIf((body: LinkProductsBody) => body.product !== undefined || body.products === undefined)
  @must('isReference', (value) => referenceOf(value, '') !== undefined, {
    en: 'Send the UUID of a product, an object with it as identifier, or a list of these as products.',
    fr: "Envoyez l'UUID d'un produit, un objet avec identifier, ou une liste dans products.",
  })
  product?: unknown;

  @whenSent()
  @must('isReferences', (value) => Array.isArray(value) && value.length > 0 && referencesOf(value, '') !== undefined, {
    en: 'Send a list of 1 to 100 UUIDs of products, or objects with them as identifier.',
    fr: "Envoyez une liste de 1 à 100 UUID de produits, ou d'objets avec identifier.",
  })
  products?: unknown;
}

/** @param body whose form was checked, as all below */
export function toLinkedProducts({ product, products }: LinkProductsBody): Reference[] {
  return [
    ...(product === undefined ? [] : (referencesOf(product, '/product') as Reference[])),
    ...(products === undefined ? [] : (referencesOf(products, '/products') as Reference[])),
  ];
}

export function toRelatedEvents({ isRelatedTo: related }: NewProductBody): Reference[] {
  return related === undefined || related === null ? [] : (referencesOf(related, '/isRelatedTo') as Reference[]);
}

/** The questions of a body with where they stand; undefined when it has none. The member wins over the property. */
function formFieldsOf(
  body: Pick<NewProductBody, 'formFields' | 'additionalProperty'>,
): { fields: readonly FormFieldBody[]; at: string } | undefined {
  if (body.formFields) return { fields: body.formFields, at: '/formFields' };
  const index = body.additionalProperty?.findIndex(({ name }) => name === 'formFields') ?? -1;
  const fields = body.additionalProperty?.[index]?.value as readonly FormFieldBody[] | null | undefined;
  return fields ? { fields, at: `/additionalProperty/${index}/value` } : undefined;
}

/** Where the questions of a body stand, for refusals. */
export function questionPointersOf(body: NewProductBody): Record<string, string> {
  const given = formFieldsOf(body);
  return given ? formFieldPointers(given.fields, given.at) : {};
}

export function toNewProduct(body: NewProductBody): NewWholeProduct {
  return {
    name: body.name,
    category: productCategoryOf(body.category) as ProductCategory,
    longDescription: body.description?.trim() || null,
    prices: (body.offers ?? []).map(toNewPrice),
    eventIds: toRelatedEvents(body).map(({ id }) => id),
    questions: toQuestions(formFieldsOf(body)?.fields ?? []).questions,
  };
}

function toNewPrice(offer: OfferBody): Omit<NewPrice, 'productId'> {
  const { membershipRequiredProduct: membership } = offer;
  return {
    name: offer.name,
    amount: amountOf(offer.price),
    stock: offer.inventoryLevel?.value ?? offer.stock ?? null,
    maxPerUser: offer.eligibleQuantity?.maxValue ?? null,
    subscriptionType: (offer.subscriptionType ?? null) as SubscriptionType | null,
    requiredMembershipId: membership ? (referenceOf(membership, '') as Reference).id : null,
  };
}
