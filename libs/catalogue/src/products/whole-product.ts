import { grouped, inOrderOf } from '#kernel';
import { anyOf, type Tx } from '#tenancy';
import type { EventCategory } from '../values/catalogue-codes.js';
import { Price } from '../entities/price.entity.js';
import { Product } from '../entities/product.entity.js';
import type { Question } from '../entities/question.entity.js';
import { loadQuestions } from '../questions/questions.service.js';
import { IsNull } from 'typeorm';

/** An event that a product is linked to. */
export interface RelatedEvent {
  readonly id: string;
  readonly name: string;
  readonly category: EventCategory;
}

/** A product with all related data that is shown: image, prices in order of creation, questions in their order, events by start. */
export type WholeProduct = Product & {
  readonly events: readonly RelatedEvent[];
  readonly questions: readonly Question[];
};

/** Loads products with four statements. @returns those of these products that exist and are not built in, in the order of the ids */
export async function loadProducts(tx: Tx, ids: readonly string[], { publishedOnly = false } = {}): Promise<WholeProduct[]> {
  if (ids.length === 0) return [];
  const published = publishedOnly ? { published: true } : {};
  const products = await tx.find(Product, {
    where: { id: anyOf(ids), builtIn: IsNull(), ...published },
    relations: { image: true },
  });
  const prices = await tx.find(Price, {
    where: { productId: anyOf(ids), ...(publishedOnly && { published: true, hidden: false }) },
    order: { createdAt: 'ASC', id: 'ASC' },
  });
  const events = (await tx.query(
    `select event_product.product_id as "productId", event.id, event.name, event.category
     from event_product join event on event.id = event_product.event_id
     where event_product.product_id = any($1) order by event.starts_at, event.name, event.id`,
    [ids],
  )) as (RelatedEvent & { readonly productId: string })[];
  const questions = await loadQuestions(tx, ids);
  const pricesOf = grouped(prices, ({ productId }) => productId);
  const eventsOf = grouped(events, ({ productId }) => productId);
  const questionsOf = grouped(questions, ({ productId }) => productId);
  return inOrderOf(ids, products).map((product) =>
    Object.assign(product, {
      prices: pricesOf.get(product.id) ?? [],
      events: eventsOf.get(product.id) ?? [],
      questions: questionsOf.get(product.id) ?? [],
    }),
  );
}
