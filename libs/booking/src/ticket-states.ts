import type { Text } from '#kernel';

/**
 * Ticket states: the four of the specification and R, cancelled (decisions 5), with the label that scanning answers. Transitions:
 * C→N checkout opened; N→K paid, or e-mail verified; K→S scan; S→K undo; C, N, K→R cancellation.
 */
export const ticketStates = {
  C: { en: 'Created', fr: 'Créé' },
  N: { en: 'Not active', fr: 'Non actif' },
  K: { en: 'Valid and not scanned', fr: 'Valide et non scanné' },
  S: { en: 'Valid and scanned', fr: 'Valide et scanné' },
  R: { en: 'Cancelled', fr: 'Annulé' },
} as const satisfies Record<string, Text>;
export type TicketStatus = keyof typeof ticketStates;
