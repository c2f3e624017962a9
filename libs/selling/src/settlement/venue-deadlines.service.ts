import { StartMoves } from '#catalogue';
import { expiryJob, loadReservations, ReservationPublisherService } from '#tickets';
import { JobsService } from '#jobs';
import type { Tx } from '#tenancy';
import { orderOfSql } from '#transfers';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { venueDeadlineSql } from '../drafts/payment-ways.js';

/** Moves the time until which reservations are to be paid at the venue with the start of their event. */
@Injectable()
export class VenueDeadlinesService implements OnModuleInit {
  constructor(
    private readonly moves: StartMoves,
    private readonly jobs: JobsService,
    private readonly publisher: ReservationPublisherService,
  ) {}

  onModuleInit(): void {
    this.moves.add((tx, eventId) => this.move(tx, eventId));
  }

  /**
   * When the new time is over by now, guests may pay until the start. What has ended stays so, and after the start nothing changes.
   * Transfers have days of their own.
   */
  private async move(tx: Tx, eventId: string): Promise<void> {
    const [moved] = await tx.query<[{ id: string; endsAt: Date | null }[], number]>(
      `with due as (
         select case when ${venueDeadlineSql} > (select now()) then ${venueDeadlineSql} else event.starts_at end as until
         from event left join configuration on true where event.id = $1 and event.starts_at > (select now()))
       update reservation set sequence = sequence + 1, expires_at = case when pay_until is null then due.until else expires_at end,
         pay_until = case when pay_until is not null then due.until end
       from due where event_id = $1 and status = 'R' and pay_at_venue and not is_draft
         and coalesce(pay_until, expires_at) > (select now()) and coalesce(pay_until, expires_at) <> due.until
         and not exists (select from bank_transfer where order_id = ${orderOfSql('reservation')})
       returning id, case when pay_until is null then expires_at end as "endsAt"`,
      [eventId],
    );
    for (const { id, endsAt } of moved) {
      // Before its address is confirmed, it is held for a short time only.
      if (endsAt === null) continue;
      await this.jobs.cancel(tx, expiryJob, id);
      await this.jobs.add(tx, expiryJob, id, { dueAt: endsAt });
    }
    const reservations = await loadReservations(
      tx,
      moved.map(({ id }) => id),
    );
    for (const reservation of reservations) await this.publisher.publishShown(tx, 'reservation.updated', reservation);
  }
}
