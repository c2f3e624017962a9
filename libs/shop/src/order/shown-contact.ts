import type { OrderedTickets } from '#selling';
import type { WholeReservation } from '#tickets';
import { type ConfirmationWay, costsNothing, type Language } from '#kernel';
import type { OfferedAccount } from '#payments';
import type { VNode } from 'preact';
import type { TypedContact } from './contact-form.dto.js';

/** An order whose contact form is shown. */
export interface OrderToComplete extends Pick<OrderedTickets, 'questions' | 'canPayOnline' | 'payAtVenueUntil' | 'transfer'> {
  readonly tickets: WholeReservation['tickets'];
  /** The sum of everything, decimal text. */
  readonly amount: string;
  /** What the form sends as what it showed: the ids of the tickets first. */
  readonly shownIds: readonly string[];
  /** The address that the places were offered to; empty or absent: they were not. */
  readonly offeredTo?: string;
}

/** What the contact form shows. */
export interface ShownContact {
  readonly order: OrderToComplete;
  readonly path: string;
  readonly language: Language;
  readonly timeZone: string;
  readonly hasTerms: boolean;
  readonly hasPrivacy: boolean;
  /** Whether the server sends mail. */
  readonly isMailed: boolean;
  /** How the venue has an unknown address confirmed. */
  readonly confirmation: ConfirmationWay;
  /** The buyer may follow the venue. */
  readonly canFollow: boolean;
  /** Accounts for online payments; the buyer chooses when there are several. */
  readonly accounts: readonly OfferedAccount[];
  readonly typed: TypedContact;
  /** By the id of the field. */
  readonly faults: ReadonlyMap<string, string>;
  /** The address of who is signed in. */
  readonly signedIn?: string | undefined;
  /** What is ordered, for a place beside the fields on a desk, and above the button on a phone. */
  readonly summary?: VNode;
  /** The buyer may go back to the choice of tickets. What was typed is sent, too. */
  readonly canChange?: boolean;
  /** What is asked besides. */
  readonly more?: VNode;
}

/** Whether a ticket has a price for members that must be those of the buyer's address. */
export function isForMembers({ tickets }: Pick<OrderToComplete, 'tickets'>): boolean {
  return tickets.some(({ price }) => price.requiredMembershipId !== null);
}

/** Whether a mail asks the member to confirm the order, when the address stays as it is proposed. */
export function awaitsMember({ order, signedIn }: ShownContact): boolean {
  return isForMembers(order) && !signedIn && !order.offeredTo;
}

/** Whether a mail asks the owner of the address to confirm the order, unless it is paid online. */
export function awaitsConfirmation(shown: ShownContact): boolean {
  const { order, signedIn, confirmation } = shown;
  if (awaitsMember(shown)) return true;
  if (signedIn || order.offeredTo) return false;
  return costsNothing(order.amount) ? confirmation !== 'none' : order.payAtVenueUntil !== undefined || order.transfer !== undefined;
}
