import { lockReservation, ReservationPublisherService, type LockedReservation, type Ticket } from '#tickets';
import { retryOnDeadlock } from '#kernel';
import { TenantDb, type Tx } from '#tenancy';
import { Injectable } from '@nestjs/common';

/** A ticket as its holder saw it. Another code version means that it was given to somebody else since. */
export type SeenTicket = Pick<Ticket, 'id' | 'reservationId' | 'codeVersion' | 'holderEmail'>;

/** Changes of a ticket by its holder: each locks the event, then the reservation, and is published. */
@Injectable()
export class HolderChanges {
  constructor(
    private readonly db: TenantDb,
    private readonly publisher: ReservationPublisherService,
  ) {}

  /**
   * @param work returns whether it changed the ticket
   * @returns whether the ticket was changed
   */
  change(reservationId: string, work: (tx: Tx, reservation: LockedReservation) => Promise<boolean>): Promise<boolean> {
    const change = async (tx: Tx): Promise<boolean> => {
      const reservation = await lockReservation(tx, reservationId);
      if (!reservation || !(await work(tx, reservation))) return false;
      await tx.query('update reservation set sequence = sequence + 1 where id = $1', [reservationId]);
      await this.publisher.publish(tx, 'reservation.updated', reservationId);
      return true;
    };
    return retryOnDeadlock(() => this.db.transaction(change));
  }
}
