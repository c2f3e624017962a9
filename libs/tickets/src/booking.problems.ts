import { defineProblems } from '#kernel';
import { texts } from './locales/tickets.texts.js';

/** Problems of reservations, tickets and memberships, for all APIs. */
export const bookingProblem = defineProblems(texts, {
  'reservation.unknown': { status: 404 },
  'reservation.transition': { status: 409 },
  'reservation.scanned': { status: 409 },
  'reservation.fulfilled': { status: 409 },
  'ticket.unknown': { status: 404 },
  'membership.unknown': { status: 404 },
  'code.unknown': { status: 404 },
  'discount.unknown': { status: 404 },
  'campaign.unknown': { status: 404 },
  'customer.unknown': { status: 404 },
  'gift_card.unknown': { status: 404 },
  'gift_card.over': { status: 409 },
  'booking.sold_out': { status: 409 },
  'booking.limit_per_user': { status: 409 },
  'booking.membership_required': { status: 409 },
  'booking.event_not_published': { status: 409 },
  'booking.event_postponed': { status: 409 },
  'booking.event_over': { status: 409 },
  'booking.price_not_published': { status: 409 },
  'booking.sale_not_open': { status: 409 },
  'booking.sale_ended': { status: 409 },
  'booking.whole_series': { status: 409 },
  'booking.code_unknown': { status: 409 },
  'booking.code_early': { status: 409 },
  'booking.code_expired': { status: 409 },
  'booking.code_elsewhere': { status: 409 },
  'booking.code_used_up': { status: 409 },
  'booking.code_limit': { status: 409 },
});
