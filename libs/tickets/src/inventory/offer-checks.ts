import { productKinds } from '#catalogue';
import { RefusedInput } from '#kernel';
import { texts } from '../locales/tickets.texts.js';
import type { OfferedEvent, OfferedPrice } from './offers.js';
import { RefusedBooking } from './refused-booking.js';

/** @throws RefusedBooking when the event is not published or over */
export function checkEvent(event: OfferedEvent): void {
  if (!event.published) throw new RefusedBooking('event_not_published', 'eventId');
  if (event.isOver) throw new RefusedBooking('event_over', 'eventId');
}

/**
 * Refuses an event without a date, for everybody but staff and callers who confirm the sale.
 * @throws RefusedBooking on `field`
 */
export function checkDate({ isPostponed }: Pick<OfferedEvent, 'isPostponed'>, field = 'eventId'): void {
  if (isPostponed) throw new RefusedBooking('event_postponed', field);
}

/** @throws RefusedInput, RefusedBooking on `tickets.<index>.priceId` */
export function checkPrice(price: OfferedPrice | undefined, index: number): asserts price is OfferedPrice {
  const field = `tickets.${index}.priceId`;
  if (!price) throw new RefusedInput(field, texts.localized('offers.unknownPrice'));
  if (productKinds[price.category] === 'membership') {
    throw new RefusedInput(field, texts.localized('offers.membershipPrice'));
  }
  if (!price.linked) {
    throw new RefusedInput(field, texts.localized('offers.notSoldForEvent'));
  }
  if (!price.published) throw new RefusedBooking('price_not_published', field);
}

/**
 * Refuses a price outside of its sale window, for everybody but staff and callers who confirm the sale.
 * @throws RefusedBooking on `field`
 */
export function checkSale({ sale, salesFrom }: Pick<OfferedPrice, 'sale' | 'salesFrom'>, field: string): void {
  if (sale === 'ended') throw new RefusedBooking('sale_ended', field);
  if (sale === 'upcoming') throw new RefusedBooking('sale_not_open', field, { ...(salesFrom && { opensAt: salesFrom }) });
}
