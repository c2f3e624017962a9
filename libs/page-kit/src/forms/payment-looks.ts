import type { WholeMembership } from '#memberships';
import type { WholeReservation } from '#tickets';
import { checkoutUrlOf } from '#payments';

/** How often a page looks again for a payment: twenty times in a minute. */
const mostLooks = 20;

/** The number of this look, from the query of a page to which buyers return from the payment; 0: it does not look (any more). */
export function lookOf(paid: unknown): number {
  const look = typeof paid === 'string' && /^\d{1,2}$/.test(paid) ? Number(paid) : 0;
  return look <= mostLooks ? look : 0;
}

/** Whether the provider is asked at this look, in case its event was lost: on the return, then every fifteen seconds. */
export function asksProvider(look: number): boolean {
  return look % 6 === 1;
}

/**
 * Whether a checkout is open and no bank processes the payment. Also after the end of the hold: who paid a moment later gets the tickets
 * while places remain.
 */
export function isPaying({ status, payments }: Pick<WholeReservation | WholeMembership, 'status' | 'payments'>): boolean {
  return (status === 'R' || status === 'U' || status === 'pending') && checkoutUrlOf(payments) !== undefined;
}
