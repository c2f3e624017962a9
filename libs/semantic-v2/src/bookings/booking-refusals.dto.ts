import { bookingProblem, RefusedBooking, RefusedTransition } from '#tickets';
import { refusalProblem } from '#http';
import { isoInZone, type Problem } from '#kernel';
import { currentTenant } from '#tenancy';
import { paymentProblem, PaymentProviderRefused, PaymentProviderUnavailable } from '#payments';

/** Members of the body by the field names of the services. */
const ofReservations: Readonly<Record<string, string>> = {
  eventId: '/reservationFor/identifier',
  email: '/underName/email',
  firstName: '/underName/givenName',
  lastName: '/underName/familyName',
  tickets: '/reservedTicket',
  options: '/additionalProperty',
  code: '/code',
  giftCard: '/giftCard',
};

const ofTickets: Readonly<Record<string, string>> = { priceId: 'identifier', amount: 'price', holders: 'underName' };

/** JSON pointer in the body of a reservation for a service's field. */
export function reservationPointer(field: string): string | undefined {
  const [, index, part = ''] = /^tickets\.(\d+)\.(priceId|amount|holders)(?:\.|$)/.exec(field) ?? [];
  if (index !== undefined) return `/reservedTicket/${index}/${ofTickets[part] ?? part}`;
  return ofReservations[field];
}

const ofMemberships: Readonly<Record<string, string>> = {
  priceId: '/membershipPlan/identifier',
  email: '/member/email',
  firstName: '/member/givenName',
  lastName: '/member/familyName',
  amount: '/price',
  paymentMethod: '/paymentMode',
  code: '/code',
};

/** Why a discount code is refused. */
export const codeRefusals = ['unknown', 'early', 'expired', 'elsewhere', 'used_up', 'limit'].map((reason) => `booking.code_${reason}`);

/** JSON pointer in the body of a membership for a service's field. */
export function membershipPointer(field: string): string | undefined {
  return ofMemberships[field];
}

refusalProblem(RefusedTransition, ({ reason }) => bookingProblem(`reservation.${reason}`));
refusalProblem(RefusedBooking, bookingConflict);
refusalProblem(PaymentProviderUnavailable, () => paymentProblem('payment.unavailable', { headers: { 'Retry-After': '30' } }));
// The provider's message is for staff only, because it may reveal settings of the account.
refusalProblem(PaymentProviderRefused, () => paymentProblem('payment.refused'));

function bookingConflict({ reason, facts: { remaining, mayBook, opensAt } }: RefusedBooking): Problem {
  const members = {
    ...(remaining && { remaining: remaining.map(({ priceId, ...left }) => ({ identifier: priceId, ...left })) }),
    ...(mayBook !== undefined && { mayBook }),
    ...(opensAt && { availabilityStarts: isoInZone(opensAt, currentTenant().timeZone) }),
  };
  return bookingProblem(`booking.${reason}`, { members });
}
