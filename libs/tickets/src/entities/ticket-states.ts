import type { Text } from '#kernel';
import { texts } from '../locales/tickets.texts.js';

/** Ticket states: the four of the specification and R, cancelled (decisions 5), with the labels in scan responses. */
export const ticketStates = {
  C: texts.localized('ticketStates.c'),
  N: texts.localized('ticketStates.n'),
  K: texts.localized('ticketStates.k'),
  S: texts.localized('ticketStates.s'),
  R: texts.localized('ticketStates.r'),
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

/** Whether an order has goods alone, which nobody calls tickets. */
export const isGoodsAlone = (tickets: readonly { readonly admission: boolean }[]): boolean =>
  tickets.length > 0 && tickets.every(({ admission }) => !admission);
