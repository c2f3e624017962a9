import { toCents } from '#kernel';
import { queryPrepared, type PreparedStatement, type Tx } from '#tenancy';
import type { AvailabilityService, Claim } from '../inventory/availability.service.js';
import { proposalTakenLate } from '../inventory/waiting.js';
import { awaitsConfirmation, isUncounted } from '../entities/reservation-states.js';
import type { LockedReservation } from '../reservations/reservation-rows.js';
import { linesOf, type LineRow } from '../inventory/inventory.js';
import { mostUnpaid } from '../inventory/limits.js';

interface ClaimedPrice extends LineRow {
  readonly maxPerUser: number | null;
  readonly requiredMembershipId: string | null;
}

const claimStatement: PreparedStatement = {
  name: 'claim',
  text: `select price.id, ticket.admission, count(*)::int as count, price.max_per_user as "maxPerUser",
      price.required_membership_id as "requiredMembershipId"
    from ticket join price on price.id = ticket.price_id where ticket.reservation_id = $1 and ticket.status <> 'R'
    group by price.id, ticket.admission`,
};

/** Builds the claim of an existing reservation. */
export async function claimOf(tx: Tx, { id, eventId, emailKey }: Pick<LockedReservation, 'id' | 'eventId' | 'emailKey'>): Promise<Claim> {
  const prices = await queryPrepared<ClaimedPrice & Record<string, unknown>>(tx, claimStatement, [id]);
  return { reservationId: id, eventId, emailKey, lines: linesOf(prices), prices };
}

/**
 * The claim of an order of the pages of which nobody knows yet whether its address is that of the buyer: limits count its own tickets only,
 * and memberships are not looked for. `checkUncounted` decides when the mailed link is opened, or the payment arrives.
 */
export function claimOfStranger(claim: Claim): Claim {
  return { ...claim, isOnly: true, prices: claim.prices.map((price) => ({ ...price, requiredMembershipId: null })) };
}

/**
 * Checks an order of the pages that was confirmed or paid and did not count for its person until now: what the person may have beside
 * what it has, and after a confirmation the memberships. Does nothing for another one. The event must be locked.
 * @throws RefusedBooking `limit_per_user`, `membership_required`
 */
export async function checkUncounted(tx: Tx, availability: AvailabilityService, reservation: LockedReservation): Promise<void> {
  if (!isUncounted(reservation)) return;
  const claim = { ...(await claimOf(tx, reservation)), defaultMaximum: mostUnpaidOf(reservation) };
  const maximum = await eventMaximum(tx, claim.eventId);
  if (awaitsConfirmation(reservation)) await availability.checkPerson(tx, claim, maximum);
  else await availability.checkLimits(tx, claim, maximum);
}

/** Maximum of a person where the event has none, see `mostUnpaid`; null: no limit. */
export function mostUnpaidOf({ amount, payAtVenue }: { readonly amount: string; readonly payAtVenue: boolean }): number | null {
  return payAtVenue || toCents(amount) === 0 ? mostUnpaid : null;
}

/** Maximum tickets per person of an event; null: no limit. */
export async function eventMaximum(tx: Tx, eventId: string): Promise<number | null> {
  const [event] = await tx.query<{ maximum: number | null }[]>('select max_per_user as maximum from event where id = $1', [eventId]);
  return event?.maximum ?? null;
}

/**
 * For an expired hold: takes its places again if they were released, else checks the limits per person again. Does nothing for another one.
 * @throws RefusedBooking
 */
export async function takeAgain(tx: Tx, availability: AvailabilityService, reservation: LockedReservation): Promise<void> {
  const { id, lapsed, released } = reservation;
  if (!lapsed && !released) return;
  const claim = await claimOf(tx, reservation);
  if (!released) return availability.checkLimits(tx, claim, await eventMaximum(tx, claim.eventId));
  await availability.take(tx, claim);
  await proposalTakenLate(tx, id);
}
