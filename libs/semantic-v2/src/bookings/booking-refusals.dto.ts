import { paymentProblem, PaymentProviderRefused, PaymentProviderUnavailable } from '#payments';
import { bookingProblem, MissingPrice, RefusedAnswer, RefusedBooking, RefusedTransition } from '#booking';
import { kernelProblem, RefusedInput, RefusedInputs } from '#kernel';

/** Where a body holds what a service calls otherwise. */
export type Pointers = (field: string) => string | undefined;

const ofReservations: Readonly<Record<string, string>> = {
  eventId: '/reservationFor/identifier',
  email: '/underName/email',
  firstName: '/underName/givenName',
  lastName: '/underName/familyName',
  tickets: '/reservedTicket',
  options: '/additionalProperty',
};

const ofTickets: Readonly<Record<string, string>> = { priceId: 'identifier', amount: 'price', holders: 'underName' };

export function reservationPointer(field: string): string | undefined {
  const [, index, part = ''] = /^tickets\.(\d+)\.(priceId|amount|holders)$/.exec(field) ?? [];
  if (index !== undefined) return `/reservedTicket/${index}/${ofTickets[part] ?? part}`;
  return ofReservations[field];
}

const ofMemberships: Readonly<Record<string, string>> = {
  priceId: '/membershipPlan/identifier',
  email: '/member/email',
  amount: '/price',
  paymentMethod: '/paymentMode',
};

export function membershipPointer(field: string): string | undefined {
  return ofMemberships[field];
}

/** Does booking's work; what it refuses is told in the words of the body. */
export async function mapBookingRefusals<Result>(work: Promise<Result>, pointerOf: Pointers): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof RefusedTransition) throw bookingProblem(`reservation.${error.reason}`);
    if (error instanceof RefusedBooking) throw bookingConflict(error);
    if (error instanceof PaymentProviderUnavailable)
      throw paymentProblem('payment.unavailable', { headers: { 'Retry-After': '30' } });
    // What the provider said is for staff: it may speak of the account's settings.
    if (error instanceof PaymentProviderRefused) throw paymentProblem('payment.refused');
    if (!(error instanceof RefusedInput)) throw error;
    const refusals = error instanceof RefusedInputs ? error.faults : [error];
    throw kernelProblem('body.invalid', {
      errors: refusals.map((refusal) => ({
        pointer: pointerOf(refusal.field) ?? `/${refusal.field}`,
        code: refusal instanceof RefusedAnswer || refusal instanceof MissingPrice ? refusal.code : 'refused',
        detail: refusal.message,
      })),
    });
  }
}

function bookingConflict({ reason, facts: { remaining, mayBook } }: RefusedBooking): Error {
  const members = {
    ...(remaining && { remaining: remaining.map(({ priceId, ...left }) => ({ identifier: priceId, ...left })) }),
    ...(mayBook !== undefined && { mayBook }),
  };
  return bookingProblem(`booking.${reason}`, { members });
}
