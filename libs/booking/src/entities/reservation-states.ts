import type { Text } from '#kernel';

/** Reservation states of the specification. */
export const reservationStates = {
  C: { en: 'Cancelled', fr: 'Annulée' },
  R: { en: 'Created', fr: 'Créée' },
  U: { en: 'Unpaid', fr: 'Non payée' },
  F: { en: 'Free, e-mail not verified', fr: 'Gratuite, e-mail non vérifié' },
  FA: { en: 'Free, e-mail verified', fr: 'Gratuite, e-mail vérifié' },
  P: { en: 'Paid', fr: 'Payée' },
  PE: { en: 'Paid, e-mail refused', fr: 'Payée, e-mail refusé' },
  PN: { en: 'Paid, e-mail not sent', fr: 'Payée, e-mail non envoyé' },
  V: { en: 'Validated', fr: 'Validée' },
} as const satisfies Record<string, Text>;
export type ReservationStatus = keyof typeof reservationStates;

/**
 * The allowed transitions of each state (decisions 7). An expired hold keeps its state without its places until it is paid or verified
 * late, or cancelled a day later; so no transition out of C is needed.
 */
export const reservationTransitions: Readonly<Record<ReservationStatus, readonly ReservationStatus[]>> = {
  R: ['U', 'F', 'FA', 'P', 'V', 'C'],
  U: ['P', 'C'],
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

export function isHold(status: ReservationStatus): boolean {
  return holds.includes(status);
}

/** The states that allow a transition to this state. */
export function statesBefore(status: ReservationStatus): ReservationStatus[] {
  const all = Object.keys(reservationTransitions) as ReservationStatus[];
  return all.filter((from) => reservationTransitions[from].includes(status));
}

/** Why a reservation was cancelled. */
export const cancelReasons = {
  holder: { en: 'By the holder', fr: 'Par le titulaire' },
  staff: { en: 'By the venue', fr: 'Par le lieu' },
  event: { en: 'The event was cancelled', fr: 'Événement annulé' },
  expired: { en: 'Not paid or confirmed in time', fr: 'Ni payée ni confirmée à temps' },
  payment_failed: { en: 'The payment failed', fr: 'Le paiement a échoué' },
  too_late: {
    en: 'Paid or confirmed when no place was left',
    fr: "Payée ou confirmée quand il n'y avait plus de place",
  },
} as const satisfies Record<string, Text>;
export type CancelReason = keyof typeof cancelReasons;

/** Where the reservation was made: API, panel or public page. */
export type ReservationOrigin = 'api' | 'panel' | 'page';
