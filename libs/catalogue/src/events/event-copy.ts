import { hasModule, type Tx } from '#tenancy';
import { getMetadataArgsStorage } from 'typeorm';
import { Event } from '../entities/event.entity.js';
import type { NewEvent } from './event-change.js';
import { linkProducts } from '../event-queries/event-products.js';
import { optionNames, type WholeEvent } from '../event-data/whole-event.js';
import { EventProduct } from '../entities/event-product.entity.js';

/** How much later a copy of an event starts. */
export type EventStep = 'day' | 'week' | 'month';

/** Columns that a copy does not take over: identity, counters, pictures and history, and columns that the copy sets itself. */
const ownColumns: ReadonlySet<string> = new Set<keyof Event>([
  'id',
  'slug',
  'startsAt',
  'endsAt',
  'published',
  'alteration',
  'previousStartsAt',
  'booked',
  'imageId',
  'stickerImageId',
  'sequence',
  'createdAt',
  'updatedAt',
]);

/** All other columns of the entity, so that a new one is copied, too. */
function copiedColumns(event: WholeEvent): Partial<NewEvent> {
  const columns = getMetadataArgsStorage().columns.filter(({ target }) => target === Event);
  const names = columns.map(({ propertyName }) => propertyName as keyof Event).filter((name) => !ownColumns.has(name));
  return Object.fromEntries(names.map((name) => [name, event[name]]));
}

/**
 * The input for an unpublished copy of an event. Images are not copied, because an image belongs to one event, which deletes it when it
 * is replaced.
 */
export async function copyOf(tx: Tx, event: WholeEvent, step: EventStep, timeZone: string): Promise<NewEvent> {
  const [times] = await tx.query<{ startsAt: Date; endsAt: Date | null }[]>(
    // The end follows from the start: a month after 30 and 31 March is 30 April for both.
    `select starts at time zone $3 as "startsAt", (starts + length) at time zone $3 as "endsAt"
     from (select ($1::timestamptz at time zone $3) + $4::interval as starts,
       ($2::timestamptz at time zone $3) - ($1::timestamptz at time zone $3) as length) as copied`,
    [event.startsAt, event.endsAt, timeZone, `1 ${step}`],
  );
  const { startsAt, endsAt } = times as { startsAt: Date; endsAt: Date | null };
  return {
    ...copiedColumns(event),
    name: event.name,
    startsAt,
    endsAt,
    published: false,
    keywords: event.keywords,
    radioOptions: hasModule('ticketing') ? optionNames(event, 'radio') : [],
    checkboxOptions: hasModule('ticketing') ? optionNames(event, 'checkbox') : [],
  };
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
