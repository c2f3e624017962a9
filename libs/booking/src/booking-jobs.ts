/** Jobs that process all bookings check again after this time: bookings whose transaction was open at the start are committed by then. */
export const lastLookSeconds = 60;

/** Releases the places of an expired hold; its subject is the reservation. */
export const expiryJob = 'reservation-expiry';
/** Cancels a hold that is still unpaid or unconfirmed a day after it expired; its subject is the reservation. */
export const tidyJob = 'reservation-tidy';
/** Releases the places of a draft whose hold has ended, and deletes the draft later; its subject is the reservation. */
export const draftExpiryJob = 'draft-expiry';
/** Offers free places of an event to its waiting list; its subject is the event. */
export const waitingListJob = 'waiting-list';
/** Releases the stock of a membership that was not paid in time; its subject is the membership. */
export const membershipExpiryJob = 'membership-expiry';
/** Cancels a membership that is still unpaid a day after it expired; its subject is the membership. */
export const membershipTidyJob = 'membership-tidy';
/** Mails the link to an account, when the tenant knows the address; its subject is the row of `account_session`. */
export const accountLinkJob = 'account-link';
/** Erases a person's data; its subject is the row of `account_session` with which it was asked for. */
export const accountErasureJob = 'account-erasure';
/** Cancels the reservations of a cancelled event; its subject is the event. */
export const eventCancellationJob = 'event-cancellation';
/** Writes the mails of a notice to the guests of an event; its subject is the row of `event_notice`. */
export const eventNoticeJob = 'event-notice';
/** Re-signs tickets and memberships after a signing key was revoked; its subject is the tenant. */
export const codeReplacementJob = 'code-replacement';

/** Days that a hold lasts at most while a bank debit is processed. What arrives later is sold if places remain, and else refunded. */
const bankDays = 3;

/**
 * SQL: the end of a hold whose payment a bank processes: some days later, but not after the end of the sale. It never becomes shorter.
 * @param expiresAt SQL of its end so far
 * @param saleEnd SQL of the end of its sale; null: none
 */
export const bankHoldSql = (expiresAt: string, saleEnd: string): string =>
  `greatest(${expiresAt}, least((select now() + interval '${bankDays} days'), ${saleEnd}))`;

/** Seconds after its expiry during which a hold can still be paid or confirmed if places remain; then it is cancelled. */
export const lateSeconds = 24 * 3600;

/** Seconds after the end of its hold for which a draft is kept: the buyer may still complete it if places remain. Then it is deleted. */
export const draftKeepSeconds = 3600;
