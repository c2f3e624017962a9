import type { Text } from '#kernel';

/** Ticket states: the four of the specification and R, cancelled (decisions 5), with the labels in scan responses. */
export const ticketStates = {
  C: { en: 'Created', fr: 'Créé' },
  N: { en: 'Not active', fr: 'Non actif' },
  K: { en: 'Valid and not scanned', fr: 'Valide et non scanné' },
  S: { en: 'Valid and scanned', fr: 'Valide et scanné' },
  R: { en: 'Cancelled', fr: 'Annulé' },
} as const satisfies Record<string, Text>;
export type TicketStatus = keyof typeof ticketStates;

/**
 * The allowed transitions of each state (decisions 5): C→N checkout opened, or e-mail verification pending; N→K paid, verified, or
 * confirmed; K→S scan; S→K undo; C, N, K→R cancellation.
 */
export const ticketTransitions: Readonly<Record<TicketStatus, readonly TicketStatus[]>> = {
  C: ['N', 'R'],
  N: ['K', 'R'],
  K: ['S', 'R'],
  S: ['K'],
  R: [],
};

/** The states that allow a transition to this state. */
export function ticketStatesBefore(status: TicketStatus): TicketStatus[] {
  return (Object.keys(ticketTransitions) as TicketStatus[]).filter((from) => ticketTransitions[from].includes(status));
}
