import type { PublicAddress } from '#catalogue';
import type { WholeReservation } from '#tickets';
import { costsNothing, dotted } from '#kernel';
import type { Venue } from '#page-kit';

export type HeldTicket = WholeReservation['tickets'][number];

/** A ticket that a signed link opened. */
export interface OpenedTicket {
  readonly reservation: WholeReservation;
  readonly ticket: HeldTicket;
  /** Path of the ticket's own pages. */
  readonly path: string;
  /** Path of the page that shows the ticket, with its place there. */
  readonly back: string;
  readonly venue: Venue;
  /** Where the event is. */
  readonly address: PublicAddress | null;
  /** The link is from before the ticket was given to somebody else, and opens nothing any more. */
  readonly isGivenAway: boolean;
}

/** Id of the element that shows a ticket. @param index from 0 */
export function placeOf(index: number): string {
  return `ticket-${index + 1}`;
}

/** Whether a ticket can still be changed: not scanned, handed out or cancelled. */
export function isChangeable({ status, fulfilledAt }: Pick<HeldTicket, 'status' | 'fulfilledAt'>): boolean {
  return (status === 'C' || status === 'N' || status === 'K') && fulfilledAt === null;
}

/** Whether a ticket can be given to somebody else: valid and not used. */
export function isTransferable(ticket: Pick<HeldTicket, 'status' | 'fulfilledAt'>): boolean {
  return ticket.status === 'K' && isChangeable(ticket);
}

/** Whether a ticket can be given to somebody else once it is paid. */
export function isTransferableLater({ status, amount }: Pick<HeldTicket, 'status' | 'amount'>): boolean {
  return (status === 'C' || status === 'N') && !costsNothing(amount);
}

/** Product, price and name of a ticket on one line. A product with the name of the event says nothing more. */
export function ticketWords({ price, firstName, lastName }: HeldTicket, eventName: string): string {
  return dotted(
    [price.product.name === eventName ? '' : price.product.name, price.name, `${firstName} ${lastName}`.trim()].filter(Boolean),
  );
}

/** Whether the buyer can no longer use it: it was cancelled or given to somebody. */
export function isGoneTicket({ status, holderEmail }: HeldTicket): boolean {
  return status === 'R' || holderEmail !== null;
}
