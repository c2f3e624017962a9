import { refuseUnfitTexts, retryOnDeadlock } from '#kernel';
import { TenantDb } from '#tenancy';
import { Injectable } from '@nestjs/common';
import { ReservationPublisherService } from '../changes/reservation-publisher.service.js';
import { holderTexts } from '../holder-texts.js';
import { lockReservation } from '../reservations/reservation-rows.js';
import type { Ticket } from '../entities/ticket.entity.js';

/** The name on a ticket. */
export interface TicketName {
  readonly firstName: string;
  readonly lastName: string;
}

/** Changes that the holder of a ticket makes on the public pages. Each locks the event, then the reservation, then the ticket. */
@Injectable()
export class HolderTicketsService {
  constructor(
    private readonly db: TenantDb,
    private readonly publisher: ReservationPublisherService,
  ) {}

  /**
   * Changes the name on a ticket until it is scanned, handed out or cancelled. One conditional update decides.
   * @returns false when the ticket can no longer be changed
   * @throws RefusedInputs on `firstName`, `lastName`
   */
  async rename({ id, reservationId }: Pick<Ticket, 'id' | 'reservationId'>, name: TicketName): Promise<boolean> {
    refuseUnfitTexts({ ...name }, holderTexts);
    const [firstName, lastName] = [name.firstName.trim(), name.lastName.trim()];
    return retryOnDeadlock(() =>
      this.db.transaction(async (tx) => {
        if (!(await lockReservation(tx, reservationId))) return false;
        const [renamed] = await tx.query<[unknown[], number]>(
          `update ticket set first_name = $3, last_name = $4, sequence = sequence + 1
           where id = $1 and reservation_id = $2 and status in ('C', 'N', 'K') and fulfilled_at is null returning id`,
          [id, reservationId, firstName, lastName],
        );
        if (renamed.length === 0) return false;
        await tx.query('update reservation set sequence = sequence + 1 where id = $1', [reservationId]);
        await this.publisher.publish(tx, 'reservation.updated', reservationId);
        return true;
      }),
    );
  }
}
