import type { Text } from '#kernel';
import { texts } from '../locales/tickets.texts.js';

/** Reservation states of the specification. */
export const reservationStates = {
  C: texts.localized('reservationStates.states.c'),
  R: texts.localized('reservationStates.states.r'),
  U: texts.localized('reservationStates.states.u'),
  F: texts.localized('reservationStates.states.f'),
  FA: texts.localized('reservationStates.states.fa'),
  P: texts.localized('reservationStates.states.p'),
  PE: texts.localized('reservationStates.states.pe'),
  PN: texts.localized('reservationStates.states.pn'),
  V: texts.localized('reservationStates.states.v'),
} as const satisfies Record<string, Text>;
export type ReservationStatus = keyof typeof reservationStates;

/**
 * The allowed transitions of each state (decisions 7). An expired hold keeps its state without its places until it is paid or verified
 * late, or cancelled a day later; so no transition out of C is needed.
 */
export const reservationTransitions: Readonly<Record<ReservationStatus, readonly ReservationStatus[]>> = {
  R: ['U', 'F', 'FA', 'P', 'V', 'C'],
  U: ['P', 'R', 'C'],
  F: ['FA', 'C'],
  FA: ['V', 'PE', 'PN', 'C'],
  P: ['V', 'PE', 'PN', 'C'],
  // To P: the address was corrected and the mail is sent again.
  PE: ['P', 'C'],
  PN: ['P', 'C'],
  V: ['C'],
  C: [],
};

/** States whose places are held for a limited time (`HOLD_MINUTES`). */
export const holds: readonly ReservationStatus[] = ['R', 'U', 'F'];

/** Whether reservations in this state hold their places for a limited time. */
export function isHold(status: ReservationStatus): boolean {
  return holds.includes(status);
}

/**
 * Whether the buyer is to confirm the e-mail address with the link in a mail: a free reservation, one to pay at the venue, or one for
 * members.
 */
export function awaitsConfirmation({ status, payUntil }: { readonly status: string; readonly payUntil: Date | null }): boolean {
  return status === 'F' || (status === 'R' && payUntil !== null);
}

/** SQL: `awaitsConfirmation`. @param row alias of the reservation */
export function awaitsConfirmationSql(row: string): string {
  return `(${row}.status = 'F' or ${row}.status = 'R' and ${row}.pay_until is not null)`;
}

/**
 * SQL: whether the tickets of an order of the pages were given at once to somebody who only typed an address, because the venue wants no
 * confirmation, or nobody can confirm. Names columns of `reservation` without an alias.
 */
export const isAtOnceSql = "confirmation = 'none'";

/**
 * SQL: whether tickets that were given at once count for the network of the buyer: for a day, also when they are cancelled, and as long as
 * they hold places unpaid.
 * @param row alias of the reservation @param now SQL
 */
export const countsAtOnceSql = (row: string, now: string): string => `(${row}.${isAtOnceSql}
  and (${row}.completed_at > ${now} - interval '1 day' or ${row}.status = 'R' and ${row}.expires_at > ${now}))`;

/**
 * Whether an order of the pages does not count towards what its person may have yet: nobody has confirmed or paid it, and anybody can type
 * an address. Its maximum is checked when that happens.
 */
export function isUncounted(
  reservation: Parameters<typeof awaitsConfirmation>[0] & { readonly origin: ReservationOrigin; readonly payAtVenue: boolean },
): boolean {
  const { origin, status, payAtVenue } = reservation;
  return origin === 'page' && (awaitsConfirmation(reservation) || status === 'U' || (status === 'R' && !payAtVenue));
}

/** SQL: `isUncounted`. @param row alias of the reservation */
export function isUncountedSql(row: string): string {
  return `(${row}.origin = 'page'
    and (${awaitsConfirmationSql(row)} or ${row}.status = 'U' or ${row}.status = 'R' and not ${row}.pay_at_venue))`;
}

/** The states that allow a transition to this state. */
export function statesBefore(status: ReservationStatus): ReservationStatus[] {
  const all = Object.keys(reservationTransitions) as ReservationStatus[];
  return all.filter((from) => reservationTransitions[from].includes(status));
}

/** Why a reservation was cancelled. */
export const cancelReasons = {
  holder: texts.localized('reservationStates.cancelReasons.holder'),
  staff: texts.localized('reservationStates.cancelReasons.staff'),
  event: texts.localized('reservationStates.cancelReasons.event'),
  expired: texts.localized('reservationStates.cancelReasons.expired'),
  payment_failed: texts.localized('reservationStates.cancelReasons.paymentFailed'),
  too_late: texts.localized('reservationStates.cancelReasons.tooLate'),
  limit: texts.localized('reservationStates.cancelReasons.limit'),
  withdrawal: texts.localized('reservationStates.cancelReasons.withdrawal'),
} as const satisfies Record<string, Text>;
export type CancelReason = keyof typeof cancelReasons;

/** Where the reservation was made: API, panel or public page. */
export type ReservationOrigin = 'api' | 'panel' | 'page';
