/** Work on all bookings looks once more after this: a booking that began before the work is committed by then. */
export const lastLookSeconds = 60;

/** Gives back the places of a hold that is over; its subject is the reservation. */
export const expiryJob = 'reservation-expiry';
/** Cancels a hold that nobody paid or confirmed until a day after its end; its subject is the reservation. */
export const tidyJob = 'reservation-tidy';
/** Gives back what a membership keeps whose payment did not come in time; its subject is the membership. */
export const membershipExpiryJob = 'membership-expiry';
/** Ends a membership that nobody paid until a day after that. */
export const membershipTidyJob = 'membership-tidy';
/** Cancels reservations of an event that does not take place; its subject is the event. */
export const eventCancellationJob = 'event-cancellation';
/** Signs tickets and memberships anew after a signing key was revoked; its subject is the tenant. */
export const codeReplacementJob = 'code-replacement';

/** Longer than a bank debit takes: Stripe names up to 14 working days. */
export const bankDays = 21;

/** So long after its end a hold may still be paid or confirmed, if there are places; then it is cancelled. */
export const lateSeconds = 24 * 3600;
