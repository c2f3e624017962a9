import { Injectable } from '@nestjs/common';
import { pauses } from '#kernel';
import { partsOf } from '#http';
import { TenantDb } from '#tenancy';
import { TicketsService } from './tickets.service.js';
import type { TicketCodes } from './reservation.dto.js';
import type { ShownReservation } from './shown-reservation.js';
import { loadReservations, type WholeReservation } from './whole-reservation.js';

export interface ReservationFilter {
  readonly eventId?: string;
  readonly emailKey?: string;
}

export interface ReservationQuery extends ReservationFilter {
  readonly limit?: number;
  readonly offset?: number;
}

const filterSql = 'not is_draft and ($1::uuid is null or event_id = $1) and ($2::text is null or email_key = $2)';

/** Reads reservations of the current tenant. */
@Injectable()
export class ReservationsService {
  constructor(
    private readonly db: TenantDb,
    private readonly tickets: TicketsService,
  ) {}

  /** @returns undefined when it does not exist, or is a draft */
  async find(id: string): Promise<WholeReservation | undefined> {
    return (await this.findSome([id]))[0];
  }

  /** The reservation of a ticket. @returns undefined when there is no such ticket, or it is of a draft */
  async findOfTicket(ticketId: string): Promise<WholeReservation | undefined> {
    const found = await this.db.transaction(async (tx) => {
      const [ticket] = await tx.query<{ reservationId: string }[]>('select reservation_id as "reservationId" from ticket where id = $1', [
        ticketId,
      ]);
      return loadReservations(tx, ticket ? [ticket.reservationId] : []);
    });
    return found.find(({ isDraft }) => !isDraft);
  }

  /** @returns the existing reservations without drafts, in the order of `ids` */
  async findSome(ids: readonly string[]): Promise<WholeReservation[]> {
    const found = await this.db.transaction((tx) => loadReservations(tx, ids));
    return found.filter(({ isDraft }) => !isDraft);
  }

  /** Passes reservations to `take` in batches, newest first, so that other requests run in between. */
  each({ eventId, emailKey, limit, offset = 0 }: ReservationQuery, take: (some: readonly WholeReservation[]) => void): Promise<void> {
    return this.db.transaction(async (tx) => {
      const rows = await tx.query<{ id: string }[]>(
        `select id from reservation where ${filterSql} order by created_at desc, id desc limit $3 offset $4`,
        [eventId ?? null, emailKey ?? null, limit ?? null, offset],
      );
      for (const ids of partsOf(rows.map(({ id }) => id))) take(await loadReservations(tx, ids));
    });
  }

  /** Counts the reservations that match the filter. */
  async count({ eventId, emailKey }: ReservationFilter = {}): Promise<number> {
    const [row] = await this.db.transaction((tx) =>
      tx.query<{ count: number }[]>(`select count(*)::int as count from reservation where ${filterSql}`, [
        eventId ?? null,
        emailKey ?? null,
      ]),
    );
    return row?.count ?? 0;
  }

  /** Codes by ticket id, for valid and scanned tickets only, without those that the buyer gave to somebody else. */
  codesOf({ tickets }: Pick<ShownReservation, 'tickets'>): Promise<TicketCodes> {
    return this.codesOfTickets(tickets.filter(({ holderEmail }) => holderEmail === null));
  }

  /** Codes by ticket id, for valid and scanned tickets only. Whoever gets them must be a holder or staff. */
  async codesOfTickets(tickets: ShownReservation['tickets']): Promise<TicketCodes> {
    const codes = new Map<string, string>();
    const pause = pauses();
    for (const ticket of tickets) {
      await pause();
      if (ticket.status === 'K' || ticket.status === 'S') codes.set(ticket.id, await this.tickets.codeOf(ticket));
    }
    return codes;
  }
}
