import { Injectable } from '@nestjs/common';
import { currentTenant, type Tx } from '#tenancy';
import { describeData, OutboxService, type OutboxMessage, type WebhookEventType } from '#webhooks';
import { ReservationAnswer } from '../reservations/reservation-answer.dto.js';
import { toSchemaOrgReservation } from '../reservations/reservation.dto.js';
import { WebhookTicket, toWebhookTicket } from '../reservations/ticket.dto.js';
import type { ShownReservation } from '../reservations/shown-reservation.js';
import { loadReservations, type WholeReservation } from '../reservations/whole-reservation.js';

type ReservationEventType = Extract<WebhookEventType, `reservation.${string}`>;

const ofReservations = ['reservation.created', 'reservation.updated', 'reservation.confirmed', 'reservation.cancelled'] as const;
describeData(ofReservations, 'ReservationData', ReservationAnswer);
describeData(['ticket.cancelled'], 'CancelledTicketData', WebhookTicket);

/** Publishes webhook events about reservations and their tickets. The payloads never contain ticket codes. */
@Injectable()
export class ReservationPublisherService {
  constructor(private readonly outbox: OutboxService) {}

  /** Adds an event with the reservation as this transaction sees it. @returns the reservation */
  async publish(tx: Tx, type: ReservationEventType, id: string): Promise<WholeReservation> {
    const [reservation] = await loadReservations(tx, [id]);
    if (!reservation) throw new Error(`reservation ${id} to publish does not exist`);
    await this.publishShown(tx, type, reservation);
    return reservation;
  }

  /** Adds an event with a reservation that the caller has read or written in this transaction. */
  async publishShown(tx: Tx, type: ReservationEventType, reservation: ShownReservation): Promise<void> {
    await this.outbox.add(tx, reservationMessage(type, reservation));
  }

  /** The event about a reservation for the statement that writes it (`messageInsert`). It is published after the commit. */
  prepare(tx: Tx, type: ReservationEventType, reservation: ShownReservation): OutboxMessage {
    this.outbox.notifyAfter(tx);
    return reservationMessage(type, reservation);
  }

  /** Adds a `ticket.cancelled` event for each of these tickets. */
  async publishCancelled(tx: Tx, reservation: WholeReservation, ticketIds: ReadonlySet<string>): Promise<void> {
    for (const ticket of reservation.tickets) {
      if (!ticketIds.has(ticket.id)) continue;
      const data = toWebhookTicket(ticket, reservation);
      const { id: subjectId, sequence } = ticket;
      await this.outbox.add(tx, { type: 'ticket.cancelled', subjectId, sequence, data });
    }
  }
}

/** The event about a reservation, for the statement that writes it (`messageInsert`). */
export function reservationMessage(type: ReservationEventType, reservation: ShownReservation): OutboxMessage {
  const { id: subjectId, sequence } = reservation;
  return { type, subjectId, sequence, data: toSchemaOrgReservation(reservation, currentTenant()) };
}
