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
