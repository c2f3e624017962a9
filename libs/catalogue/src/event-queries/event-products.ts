import { UnknownIds } from '#kernel';
import { demandModule, type Tx } from '#tenancy';
import { productKinds, type ProductCategory } from '../values/catalogue-codes.js';
import { EventProduct } from '../entities/event-product.entity.js';
import { texts } from '../locales/catalogue.texts.js';

/**
 * Locks products that are about to be linked. Call it before the event is locked: a change of a product locks the product, then its events.
 */
export async function lockLinkable(tx: Tx, productIds: readonly string[]): Promise<void> {
  if (productIds.length > 0) await tx.query('select 1 from product where id = any($1) order by id for key share', [productIds]);
}

/**
 * Links products to an event that the transaction has locked.
 * @returns whether one of them was not linked before
 * @throws UnknownIds on productIds, also for memberships, which are not sold for events; Problem 403 `tenant.module`
 */
export async function linkProducts(tx: Tx, eventId: string, productIds: readonly string[]): Promise<boolean> {
  const ids = [...new Set(productIds)];
  if (ids.length === 0) return false;
  // Locked in one order until they are linked, so that a product that is being deleted cannot be linked.
  const known = (await tx.query('select id, category from product where id = any($1) and built_in is null order by id for key share', [
    ids,
  ])) as { id: string; category: ProductCategory }[];
  const missing = withoutAny(ids, known);
  if (missing.length > 0) {
    throw new UnknownIds('productIds', missing, texts.localized('eventProducts.unknownProduct'));
  }
  refuseMemberships(
    'productIds',
    known.filter(({ category }) => productKinds[category] === 'membership').map(({ id }) => id),
  );
  const added = (await tx.query(
    'insert into event_product (event_id, product_id) select $1::uuid, unnest($2::uuid[]) on conflict do nothing returning 1',
    [eventId, ids],
  )) as unknown[];
  if (added.length > 0) demandModule('ticketing');
  return added.length > 0;
}

/** @throws UnknownIds on `field` when there are any */
export function refuseMemberships(field: string, ids: readonly string[]): void {
  if (ids.length === 0) return;
  throw new UnknownIds(field, ids, texts.localized('eventProducts.membership'));
}

/**
 * Locks events until the transaction ends, always in the same order.
 * @returns their ids, each once
 * @throws UnknownIds on eventIds
 */
export async function lockEvents(tx: Tx, eventIds: readonly string[]): Promise<string[]> {
  const ids = [...new Set(eventIds)];
  if (ids.length === 0) return [];
  const known = (await tx.query('select id from event where id = any($1) order by id for no key update', [ids])) as {
    id: string;
  }[];
  const missing = withoutAny(ids, known);
  if (missing.length > 0) {
    throw new UnknownIds('eventIds', missing, texts.localized('eventProducts.unknownEvent'));
  }
  return known.map(({ id }) => id);
}

/**
 * Unlinks a product, which the transaction has locked, from all events except these.
 * @returns the events that were linked to it
 */
export async function unlinkOthers(tx: Tx, eventIds: readonly string[], productId: string): Promise<string[]> {
  // In one order, because the database raises the versions of events whose links change.
  await tx.query(
    `select 1 from event where id = any($1) or id in (select event_id from event_product where product_id = $2)
     order by id for no key update`,
    [eventIds, productId],
  );
  const [rows] = await tx.query<[{ id: string }[], number]>(
    'delete from event_product where product_id = $1 and not (event_id = any($2)) returning event_id as id',
    [productId, eventIds],
  );
  return rows.map(({ id }) => id);
}

/** The products that are linked to an event. */
export async function productsOf(tx: Tx, eventId: string): Promise<string[]> {
  const links = await tx.find(EventProduct, { where: { eventId }, order: { productId: 'ASC' } });
  return links.map(({ productId }) => productId);
}

/** Links exactly these products to an event. @returns whether that changed anything */
export async function setProducts(tx: Tx, eventId: string, productIds: readonly string[]): Promise<boolean> {
  const [, removed] = await tx.query<[unknown[], number]>('delete from event_product where event_id = $1 and not (product_id = any($2))', [
    eventId,
    productIds,
  ]);
  const known = await tx.query<{ id: string }[]>('select id from product where id = any($1) and built_in is null', [productIds]);
  return (
    (await linkProducts(
      tx,
      eventId,
      known.map(({ id }) => id),
    )) || removed > 0
  );
}

function withoutAny(ids: readonly string[], known: readonly { id: string }[]): string[] {
  const found = new Set(known.map(({ id }) => id));
  return ids.filter((id) => !found.has(id));
}
