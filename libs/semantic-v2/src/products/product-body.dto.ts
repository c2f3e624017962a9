import { productTexts, type NewWholeProduct, type ProductCategory, type ProductChange } from '#catalogue';
import { ApiProperty } from '@nestjs/swagger';
import { ApiModel, type Pointers } from '#http';
import { isNothing, may, mayList, must, optionalText, sayTheSame, text, whenSent } from '#kernel';
import { mayHaveProperties, uncheckedProperty, type PropertyValue } from '../bookings/booking-members.dto.js';
import { formFieldPointers, FormFieldsPropertyBody, mayHaveFormFields, toQuestions, type FormFieldBody } from './form-fields.dto.js';
import { NewOfferBody, toNewPrice } from './offer-body.dto.js';
import { productCategoryOf, productCategoryWords } from './product-categories.dto.js';
import { IsReferenceOrList } from '../shared/reference-models.dto.js';
import { pointersById, referencesOf, type Reference } from '../shared/references.dto.js';
import { texts } from '../locales/semantic-v2.texts.js';

const isCategory = (value: unknown): boolean => productCategoryOf(value) !== undefined;
const category = { type: String, enum: productCategoryWords, description: 'A label or a code, in any case and without regard to accents.' };
const categorySentence = texts.localized('productBody.categoryInvalid');

const formFieldsOnce = sayTheSame('formFields', (body) => [(body as ProductMembers).formFields, uncheckedProperty(body, 'formFields')]);

/** Optional members of schema.org Product. */
class ProductMembers {
  @ApiProperty({ description: 'HTML is cleaned to a small allow-list.' })
  @optionalText(productTexts.longDescription)
  description?: string | null;

  @may('isReferences', (value) => referencesOf(value, '') !== undefined, texts.localized('productBody.eventsInvalid'))
  @IsReferenceOrList({ description: 'Events; only these sell it.' })
  isRelatedTo?: unknown;

  @ApiProperty({ type: Boolean, default: true })
  @may('isBoolean', (value) => typeof value === 'boolean', texts.localized('productBody.notBoolean'))
  published?: boolean | null;

  @formFieldsOnce
  @mayHaveFormFields()
  formFields?: FormFieldBody[] | null;

  @formFieldsOnce
  @mayHaveProperties({}, { formFields: FormFieldsPropertyBody }, 'formFields may stand here.')
  additionalProperty?: PropertyValue[] | null;
}

/** Body of `PATCH /api/v2/products/<uuid>/`, a JSON merge patch: absent members do not change. Offers have their own paths. */
@ApiModel('ProductChange', { example: { published: false } })
export class ProductChangeBody extends ProductMembers {
  @whenSent()
  @text(1, productTexts.name)
  name?: string;

  @whenSent()
  @must('isCategory', isCategory, categorySentence, category)
  category?: string;

  @whenSent()
  @must('isAbsent', () => false, texts.localized('productBody.offersElsewhere'))
  @ApiProperty({ type: 'string', not: {}, description: 'Offers have addresses of their own.' })
  offers?: unknown;
}

/** Body of `POST /api/v2/products/`. */
@ApiModel('NewProduct', { example: { name: 'Evening ticket', category: 'Ticket', offers: [{ name: 'Full price', price: '12.50' }] } })
export class NewProductBody extends ProductMembers {
  @text(1, productTexts.name)
  name!: string;

  @must('isCategory', isCategory, categorySentence, category)
  category!: string;

  @mayList(NewOfferBody, () => true, texts.localized('productBody.offersInvalid'))
  offers?: NewOfferBody[] | null;
}

/** The events of `isRelatedTo`, with their pointers. */
export function toRelatedEvents({ isRelatedTo: related }: ProductMembers): Reference[] {
  return related === undefined || related === null ? [] : (referencesOf(related, '/isRelatedTo') as Reference[]);
}

/** The questions of a body and the pointer of their list; undefined when the body has none. */
function formFieldsOf(body: ProductMembers): { fields: readonly FormFieldBody[]; at: string } | undefined {
  if (body.formFields) return { fields: body.formFields, at: '/formFields' };
  const index = body.additionalProperty?.findIndex(({ name }) => name === 'formFields') ?? -1;
  const fields = body.additionalProperty?.[index]?.value as readonly FormFieldBody[] | null | undefined;
  return fields ? { fields, at: `/additionalProperty/${index}/value` } : undefined;
}

/** JSON pointers for refused events and questions. */
export function productPointers(body: ProductMembers): Pointers {
  const questions = formFieldsOf(body);
  const pointers: Readonly<Record<string, string>> = {
    ...pointersById(toRelatedEvents(body)),
    ...(questions && formFieldPointers(questions.fields, questions.at)),
  };
  return (field) => pointers[field];
}

/**
 * JSON pointers for a change. A membership product that is refused under its own id is reported at its events, because memberships are not
 * sold for events.
 */
export function changedProductPointers(body: ProductMembers, { id }: Readonly<Record<string, string>>): Pointers {
  const pointers = productPointers(body);
  return (field) => (field === id?.toLowerCase() ? '/isRelatedTo' : pointers(field));
}

/** Maps a validated body to a new product. */
export function toNewProduct(body: NewProductBody): NewWholeProduct {
  return {
    name: body.name,
    category: productCategoryOf(body.category) as ProductCategory,
    longDescription: body.description?.trim() || null,
    published: body.published ?? true,
    prices: (body.offers ?? []).map(toNewPrice),
    eventIds: toRelatedEvents(body).map(({ id }) => id),
    questions: toQuestions(formFieldsOf(body)?.fields ?? []).questions,
  };
}

/** @param body a validated body */
export function toProductChange(body: ProductChangeBody): ProductChange {
  const { name, category, description, published, isRelatedTo } = body;
  return {
    ...(name !== undefined && { name }),
    ...(category !== undefined && { category: productCategoryOf(category) }),
    ...(description !== undefined && { longDescription: description?.trim() || null }),
    ...(published !== undefined && { published: published ?? true }),
    ...(replacesQuestions(body) && { questions: toQuestions(formFieldsOf(body)?.fields ?? []).questions }),
    ...(isRelatedTo !== undefined && {
      eventIds: isNothing(isRelatedTo) ? [] : toRelatedEvents(body).map(({ id }) => id),
    }),
  };
}

/** Whether a body replaces the questions; null removes them. */
function replacesQuestions(body: ProductMembers): boolean {
  return body.formFields !== undefined || uncheckedProperty(body, 'formFields') !== undefined;
}
