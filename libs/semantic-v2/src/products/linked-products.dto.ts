import { ApiModel } from '#http';
import { must, sayTheSame, whenSent } from '#kernel';
import { ValidateIf } from 'class-validator';
import { AreReferences, IsReference } from '../shared/reference-models.dto.js';
import { pointersById, referenceOf, referencesOf, type Reference } from '../shared/references.dto.js';
import { texts } from '../locales/semantic-v2.texts.js';

const isOne = (value: unknown): boolean => referenceOf(value, '') !== undefined;
const oneSentence = texts.localized('linkedProducts.productInvalid');
const isList = (value: unknown): boolean => Array.isArray(value) && value.length > 0 && referencesOf(value, '') !== undefined;
const listSentence = texts.localized('linkedProducts.listInvalid');

/** The list and the single member must name the same products. */
const productsOnce = sayTheSame('products', (body) =>
  members.map((name) => {
    const references = referencesOf((body as LinkProductsBody)[name], '');
    return references && [...new Set(references.map(({ id }) => id))].toSorted();
  }),
);

/** Body of `POST /api/v2/events/{id}/link-product/`: products in one of these members. */
@ApiModel('LinkedProducts', { example: { product: '1f0c7f0a-6a51-4e0b-9a0a-0f9b8a7c6d5e' } })
export class LinkProductsBody {
  // An error is reported here when no member names a product.
  @ValidateIf(
    (body: LinkProductsBody) => members.every((name) => name === 'product' || body[name] === undefined) || body.product !== undefined,
  )
  @productsOnce
  @must('isReference', isOne, oneSentence)
  @IsReference({ required: false })
  product?: unknown;

  @whenSent()
  @productsOnce
  @must('isReferences', isList, listSentence)
  @AreReferences()
  products?: unknown;

  @whenSent()
  @productsOnce
  @must('isReference', isOne, oneSentence)
  @IsReference({ description: 'Another spelling of product. Of several members all must name the same products.' })
  productId?: unknown;

  @whenSent()
  @productsOnce
  @must('isReferences', isList, listSentence)
  @AreReferences({ description: 'Another spelling of products.' })
  productIds?: unknown;
}

const members = ['product', 'products', 'productId', 'productIds'] as const;

/** @param body a validated body */
export function toLinkedProducts(body: LinkProductsBody): Reference[] {
  const sent = members.find((name) => body[name] !== undefined);
  return sent === undefined ? [] : (referencesOf(body[sent], `/${sent}`) as Reference[]);
}

/** JSON pointer of a product that a service refuses. */
export function linkedProductPointer(body: LinkProductsBody): (id: string) => string | undefined {
  const pointers = pointersById(toLinkedProducts(body));
  return (id) => pointers[id];
}
