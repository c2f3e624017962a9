import { Injectable } from '@nestjs/common';
import type { WholeMembership } from '../memberships/membership-rows.js';
import type { WholeReservation } from '../reservations/whole-reservation.js';

/** Where a holder pays online. */
@Injectable()
export class Checkouts {
  /** Opens a checkout for a reservation that waits for one. @returns it as it is then */
  async open(reservation: WholeReservation): Promise<WholeReservation> {
    return reservation;
  }

  /** Whether the tenant takes payments online. */
  async available(): Promise<boolean> {
    return false;
  }

  async openForMembership(membership: WholeMembership): Promise<WholeMembership> {
    return membership;
  }
}
