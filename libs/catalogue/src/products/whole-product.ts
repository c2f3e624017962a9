import type { Tx } from '#tenancy';
import type { EventCategory } from '../catalogue-codes.js';
import { anyOf } from '../events/whole-event.js';
import { Price } from '../price.entity.js';
import { Product } from '../product.entity.js';

/** An event that a product is sold for. */
export interface RelatedEvent {
  readonly id: string;
  readonly name: string;
  readonly category: EventCategory;
}

/** A product with everything that is shown of it: picture, prices as they were made, events by their start. */
export type WholeProduct = Product & { readonly events: readonly RelatedEvent[] };

/** @returns those of these products that exist, in the order of the ids; three statements, however many they are */
export async function loadProducts(
  tx: Tx,
  ids: readonly string[],
  { publishedOnly = false } = {},
): Promise<WholeProduct[]> {
  if (ids.length === 0) return [];
  const published = publishedOnly ? { published: true } : {};
  const products = await tx.find(Product, { where: { id: anyOf(ids), ...published }, relations: { image: true } });
  const prices = await tx.find(Price, {
    where: { productId: anyOf(ids), ...published },
    order: { createdAt: 'ASC', id: 'ASC' },
  });
  const events = (await tx.query(
    `select event_product.product_id as "productId", event.id, event.name, event.category
     from event_product join event on event.id = event_product.event_id
     where event_product.product_id = any($1) order by event.starts_at, event.name, event.id`,
    [ids],
  )) as (RelatedEvent & { readonly productId: string })[];
  const pricesOf = grouped(prices);
  const eventsOf = grouped(events);
  const byId = new Map(products.map((product) => [product.id, product]));
  return ids.flatMap((id) => {
    const product = byId.get(id);
    return product ? [Object.assign(product, { prices: pricesOf(id), events: eventsOf(id) })] : [];
  });
}

function grouped<Row extends { readonly productId: string }>(rows: readonly Row[]): (id: string) => Row[] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.productId);
    if (group) group.push(row);
    else groups.set(row.productId, [row]);
  }
  return (id) => groups.get(id) ?? [];
}
