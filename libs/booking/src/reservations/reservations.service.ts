import { Injectable } from '@nestjs/common';
import { partsOf } from '#http';
import { TenantDb } from '#tenancy';
import { TicketsService } from './tickets.service.js';
import type { TicketCodes } from './reservation.dto.js';
import { loadReservations, type WholeReservation } from './whole-reservation.js';

export interface ReservationFilter {
  readonly eventId?: string;
  readonly emailKey?: string;
}

export interface ReservationQuery extends ReservationFilter {
  readonly limit?: number;
  readonly offset?: number;
}

const filterSql = '($1::uuid is null or event_id = $1) and ($2::text is null or email_key = $2)';

/** Reservations of the current tenant, to look at. */
@Injectable()
export class ReservationsService {
  constructor(
    private readonly db: TenantDb,
    private readonly tickets: TicketsService,
  ) {}

  find(id: string): Promise<WholeReservation | undefined> {
    return this.db.transaction(async (tx) => (await loadReservations(tx, [id]))[0]);
  }

  /** @returns those of these reservations that exist, in the order of the ids */
  findSome(ids: readonly string[]): Promise<WholeReservation[]> {
    return this.db.transaction((tx) => loadReservations(tx, ids));
  }

  /** Hands on the newest first, some hundred at a time: meanwhile others have their turn. */
  each({ eventId, emailKey, limit, offset = 0 }: ReservationQuery, take: (some: readonly WholeReservation[]) => void): Promise<void> {
    return this.db.transaction(async (tx) => {
      const rows = await tx.query<{ id: string }[]>(
        `select id from reservation where ${filterSql} order by created_at desc, id desc limit $3 offset $4`,
        [eventId ?? null, emailKey ?? null, limit ?? null, offset],
      );
      for (const ids of partsOf(rows.map(({ id }) => id))) take(await loadReservations(tx, ids));
    });
  }

  /** How many there are. */
  async count({ eventId, emailKey }: ReservationFilter = {}): Promise<number> {
    const [row] = await this.db.transaction((tx) =>
      tx.query<{ count: number }[]>(`select count(*)::int as count from reservation where ${filterSql}`, [
        eventId ?? null,
        emailKey ?? null,
      ]),
    );
    return row?.count ?? 0;
  }

  /** Codes of the tickets of reservations that are valid; of no others. */
  async codesOf(...reservations: readonly WholeReservation[]): Promise<TicketCodes> {
    const codes = new Map<string, string>();
    for (const { tickets } of reservations) {
      for (const ticket of tickets)
        if (ticket.status === 'K' || ticket.status === 'S') codes.set(ticket.id, await this.tickets.codeOf(ticket));
    }
    return codes;
  }
}
