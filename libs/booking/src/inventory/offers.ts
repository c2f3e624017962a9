import { eventIsOverSql, productKinds, soldForEventsSql, takesVolunteersSql, type AssumedDuration, type ProductCategory } from '#catalogue';
import { RefusedInput } from '#kernel';
import type { Tx } from '#tenancy';
import { RefusedBooking } from './refused-booking.js';
import { texts } from '../locales/booking.texts.js';

/** A price as it is at the time of the booking. */
export interface OfferedPrice {
  readonly id: string;
  readonly productId: string;
  readonly name: string;
  readonly amount: string;
  readonly freeAmount: boolean;
  readonly maxPerUser: number | null;
  readonly requiredMembershipId: string | null;
  readonly published: boolean;
  readonly category: ProductCategory;
  /** Whether its product is sold for the event. */
  readonly linked: boolean;
  /** Whether its product has questions for buyers. */
  readonly asks: boolean;
}

export interface OfferedEvent {
  readonly id: string;
  readonly published: boolean;
  readonly isOver: boolean;
  readonly maxPerUser: number | null;
  readonly capacity: number;
  readonly booked: number;
}

/** Loads the event to book and the requested prices. @throws RefusedInput on `eventId` when the event does not exist */
export async function loadOffer(
  tx: Tx,
  eventId: string,
  priceIds: readonly string[],
  assumed: AssumedDuration,
): Promise<{ event: OfferedEvent; prices: ReadonlyMap<string, OfferedPrice> }> {
  const [event] = await tx.query<OfferedEvent[]>(
    `select id, published, ${eventIsOverSql('event', assumed)} as "isOver", max_per_user as "maxPerUser", capacity, booked from event where id = $1`,
    [eventId],
  );
  if (!event) throw noSuchEvent();
  const prices = await tx.query<OfferedPrice[]>(
    `select price.id, price.product_id as "productId", price.name, price.amount, price.free_amount as "freeAmount",
       price.max_per_user as "maxPerUser", price.required_membership_id as "requiredMembershipId",
       price.published and product.published as published, product.category,
       (event_product.event_id is not null or (product.built_in = 'volunteering'
         and exists (select 1 from event where event.id = $1 and ${takesVolunteersSql('event')}))) as linked,
       exists (select 1 from question where question.product_id = product.id and question.archived_at is null) as asks
     from price join product on product.id = price.product_id
     left join event_product on event_product.product_id = product.id and event_product.event_id = $1
     where price.id = any($2)`,
    [eventId, priceIds],
  );
  return { event, prices: new Map(prices.map((price) => [price.id, price])) };
}

/** Whether a ticket at this price is for admission (else it is for goods). */
export function admits({ category }: Pick<OfferedPrice, 'category'>): boolean {
  return productKinds[category] === 'admission';
}

export function noSuchEvent(): RefusedInput {
  return new RefusedInput('eventId', texts.localized('offers.thereNoSuchEvent'));
}

/**
 * Finds the event of a booking that names none: the only upcoming published event that sells all of these prices.
 * @throws RefusedInput on `eventId` when no event or several sell them
 */
export async function eventSelling(tx: Tx, priceIds: readonly string[], assumed: AssumedDuration): Promise<string> {
  const rows = await tx.query<{ id: string }[]>(
    `select event.id from event where event.published and not ${eventIsOverSql('event', assumed)} and (
       select count(distinct price.id) from price join ${soldForEventsSql()} sold on sold.product_id = price.product_id
       where sold.event_id = event.id and price.id = any($1)) = $2 limit 2`,
    [priceIds, new Set(priceIds).size],
  );
  const [only, another] = rows;
  if (only && !another) return only.id;
  throw new RefusedInput(
    'eventId',
    only ? texts.localized('offers.severalEventsComeSellSay') : texts.localized('offers.noEventComeSellsSay'),
  );
}

/** @throws RefusedBooking when the event is not published or over */
export function checkEvent(event: OfferedEvent): void {
  if (!event.published) throw new RefusedBooking('event_not_published', 'eventId');
  if (event.isOver) throw new RefusedBooking('event_over', 'eventId');
}

/** @throws RefusedInput, RefusedBooking on `tickets.<index>.priceId` */
export function checkPrice(price: OfferedPrice | undefined, index: number): asserts price is OfferedPrice {
  const field = `tickets.${index}.priceId`;
  if (!price) throw new RefusedInput(field, texts.localized('offers.thereNoSuchPrice'));
  if (productKinds[price.category] === 'membership') {
    throw new RefusedInput(field, texts.localized('offers.priceMembershipNotTicket'));
  }
  if (!price.linked) {
    throw new RefusedInput(field, texts.localized('offers.priceNotSoldEvent'));
  }
  if (!price.published) throw new RefusedBooking('price_not_published', field);
}
