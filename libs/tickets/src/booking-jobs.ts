/** Jobs that process all bookings check again after this time: bookings whose transaction was open at the start are committed by then. */
export const lastLookSeconds = 60;

/** Releases the places of an expired hold; its subject is the reservation. */
export const expiryJob = 'reservation-expiry';
/** Cancels a hold that is still unpaid or unconfirmed a day after it expired; its subject is the reservation. */
export const tidyJob = 'reservation-tidy';
/** Offers free places of an event to its waiting list; its subject is the event. */
export const waitingListJob = 'waiting-list';
/** Frees the places that a code keeps when its validity ends; its subject is the code. */
export const codeEndJob = 'code-end';

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
