import { productTexts, type NewWholeProduct, type ProductCategory } from '#catalogue';
import { may, mayList, must, optionalText, text } from '#kernel';
import { mayHaveProperties, type PropertyValue } from './booking-members.dto.js';
import {
  formFieldPointers,
  FormFieldsPropertyBody,
  mayHaveFormFields,
  toQuestions,
  type FormFieldBody,
} from './form-fields.dto.js';
import { NewOfferBody, toNewPrice } from './offer-body.dto.js';
import { productCategoryOf } from './product-categories.dto.js';
import { referencesOf, type Reference } from './references.dto.js';

/** Body of `POST /api/v2/products/`. */
export class NewProductBody {
  @text(1, productTexts.name)
  name!: string;

  @optionalText(productTexts.longDescription)
  description?: string | null;

  @must('isCategory', (value) => productCategoryOf(value) !== undefined, {
    en: 'Send a category such as Ticket, Free booking or Membership, or its code.',
    fr: 'Envoyez une catégorie telle que Billet, Réservation gratuite ou Adhésion, ou son code.',
  })
  category!: string;

  @mayList(NewOfferBody, () => true, {
    en: 'Send a list of at most 50 offers.',
    fr: 'Envoyez une liste de 50 offres au plus.',
  })
  offers?: NewOfferBody[] | null;

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
