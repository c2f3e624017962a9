import type { WholeMembership } from '#memberships';
import { cartAmount, shownIds, type CartContents, type OrderedCart } from '#selling';
import { membershipOf, type WholeReservation } from '#tickets';
import { databaseNow, sumOf } from '#kernel';
import type { OrderToComplete } from '../order/payment-choice.js';
import { isPayable } from '../order/order-steps.js';

/** A whole cart as one order, for the contact form; the name of each ticket tells its event. */
export function asOneOrder(cart: OrderedCart): OrderToComplete {
  const { parts, questions, missing, canPayOnline, payAtVenueUntil, transfer } = cart;
  const tickets = parts.flatMap((part) => part.tickets.map((ticket) => named(ticket, part, missing)));
  return { tickets, amount: cartAmount(cart), shownIds: shownIds(cart), questions, canPayOnline, payAtVenueUntil, transfer };
}

type Ticket = WholeReservation['tickets'][number];

/** @param missing memberships that the cart does not contain: only they must be those of the buyer's address */
function named(ticket: Ticket, { event }: WholeReservation, missing: OrderedCart['missing']): Ticket {
  const required = membershipOf(ticket);
  const isCovered = required !== null && !missing.has(required);
  const price = { ...ticket.price, name: `${event.name} · ${ticket.price.name}` };
  if (!isCovered) return { ...ticket, price };
  const discount = ticket.discount && { ...ticket.discount, membershipId: null };
  return { ...ticket, discount, price: { ...price, requiredMembershipId: null } };
}

/** The earliest end of the holds of a cart, and of the time to pay; null: nothing is held. */
export function heldUntil(parts: readonly { readonly expiresAt: Date | null }[]): Date | null {
  const times = parts.flatMap(({ expiresAt }) => expiresAt ?? []);
  return times.toSorted((one, other) => one.getTime() - other.getTime())[0] ?? null;
}

/** What of a completed cart is to be paid online now. Nothing after one of its memberships was cancelled, or what a transfer pays. */
export function dueOf({ parts, memberships, transferBy }: CartContents): (WholeReservation | WholeMembership)[] {
  if (memberships.some(({ status }) => status === 'cancelled')) return [];
  if (transferBy !== undefined) return parts.filter(isPayable);
  const now = databaseNow();
  const pending = memberships.filter(({ status, expiresAt }) => status === 'pending' && expiresAt !== null && expiresAt > now);
  return [...parts.filter(isPayable), ...pending];
}

/** The sum of what is due, with what the order itself sells. @returns decimal text */
export function dueSum({ own, transferBy }: CartContents, due: readonly { readonly amount: string }[]): string {
  return sumOf([...due, ...own.filter(({ isPaid }) => !isPaid && transferBy === undefined)]);
}

/** The sum of a completed cart. @returns decimal text */
export function wholeSum({ parts, memberships, own }: CartContents): string {
  return sumOf([...parts, ...memberships, ...own]);
}

/** Whether an online payment is due that was not begun. */
export function isCartPayable(cart: CartContents): boolean {
  return dueOf(cart).length > 0;
}

/** All tickets of parts. */
export const ticketsIn = (all: readonly (WholeReservation | WholeMembership)[]): WholeReservation['tickets'] =>
  all.flatMap((one) => ('tickets' in one ? one.tickets : []));
