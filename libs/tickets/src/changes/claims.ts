import { toCents } from '#kernel';
import { queryPrepared, type PreparedStatement, type Tx } from '#tenancy';
import { proposalTakenLate } from '../inventory/waiting.js';
import { awaitsConfirmation, isUncounted } from '../entities/reservation-states.js';
import type { LockedReservation } from '../reservations/reservation-rows.js';
import { linesOf, type LineRow } from '../inventory/inventory.js';
import { mostUnpaid } from '../inventory/limits.js';
import type { AvailabilityService } from '../sales/availability.service.js';
import { membershipsRequired, type Claim } from '../sales/claim.js';

interface ClaimedPrice extends LineRow {
  readonly requiredMembershipId: string | null;
  readonly codeId: string | null;
  /** Tickets that use the code. */
  readonly coded: number;
}

const claimStatement: PreparedStatement = {
  name: 'claim',
  text: `select price.id, ticket.admission, count(*)::int as count,
      coalesce(price.required_membership_id, min(given.membership_id::text)::uuid) as "requiredMembershipId",
      min(used.code_id::text) as "codeId", count(used.code_id)::int as coded
    from ticket left join code_use used on used.line_id = ticket.line_id
      left join discount_use given on given.line_id = ticket.line_id join price on price.id = ticket.price_id
    where ticket.reservation_id = $1 and ticket.status <> 'R'
    group by price.id, ticket.admission`,
};

/** Builds the claim of an existing reservation. */
export async function claimOf(tx: Tx, { id, eventId, emailKey }: Pick<LockedReservation, 'id' | 'eventId' | 'emailKey'>): Promise<Claim> {
  const prices = await queryPrepared<ClaimedPrice & Record<string, unknown>>(tx, claimStatement, [id]);
  const codeId = prices.find((price) => price.codeId !== null)?.codeId;
  const codedSeats = prices.reduce((sum, { admission, coded }) => sum + (admission ? coded : 0), 0);
  return { reservationId: id, eventId, emailKey, lines: linesOf(prices), memberships: membershipsRequired(prices), codeId, codedSeats };
}

/**
 * Checks an order of the pages that was confirmed or paid and did not count for its person until now: what the person may have beside
 * what it has, and after a confirmation the memberships. Does nothing for another one. The event must be locked.
 * @throws RefusedBooking `limit_per_user`, `membership_required`
 */
export async function checkUncounted(tx: Tx, availability: AvailabilityService, reservation: LockedReservation): Promise<void> {
  if (!isUncounted(reservation)) return;
  const claim = { ...(await claimOf(tx, reservation)), defaultMaximum: mostUnpaidOf(reservation), isHeld: true };
  await availability.take(tx, awaitsConfirmation(reservation) ? claim : { ...claim, memberships: [] });
}

/** Maximum of a person where the event has none, see `mostUnpaid`; null: no limit. */
export function mostUnpaidOf({ amount, payAtVenue }: { readonly amount: string; readonly payAtVenue: boolean }): number | null {
  return payAtVenue || toCents(amount) === 0 ? mostUnpaid : null;
}

/**
 * For an expired hold: takes its places again if they were released, else checks the limits per person and those of its code again. Does
 * nothing for another one.
 * @throws RefusedBooking
 */
export async function takeAgain(tx: Tx, availability: AvailabilityService, reservation: LockedReservation): Promise<void> {
  const { id, lapsed, released } = reservation;
  if (!lapsed && !released) return;
  const claim = await claimOf(tx, reservation);
  if (!released) return availability.take(tx, { ...claim, memberships: [], isHeld: true, hasLapsed: true });
  await availability.take(tx, claim);
  await proposalTakenLate(tx, id);
}
