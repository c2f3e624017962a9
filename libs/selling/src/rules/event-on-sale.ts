import { RefusedBooking, type OfferedEvent } from '#tickets';
import type { Rule } from './sale.js';

/**
 * Why an event sells nothing now; undefined: it sells.
 * @param decides staff may sell for an event without a date
 * @param field that the refusal names
 */
function eventFault(
  event: Pick<OfferedEvent, 'published' | 'isPostponed' | 'isOver'>,
  decides: boolean,
  field: string,
): RefusedBooking | undefined {
  if (!event.published) return new RefusedBooking('event_not_published', field);
  if (event.isOver) return new RefusedBooking('event_over', field);
  if (event.isPostponed && !decides) return new RefusedBooking('event_postponed', field);
  return undefined;
}

/** The event is published, is not over, and has a date. */
export const eventOnSale: Rule = {
  name: 'event-on-sale',
  refuse({ offer, decides }) {
    const fault = eventFault(offer.event, decides, 'eventId');
    return fault ? [fault] : [];
  },
  refuseHeld({ offer }) {
    const fault = eventFault(offer.event, false, 'tickets');
    return fault ? [fault] : [];
  },
};
