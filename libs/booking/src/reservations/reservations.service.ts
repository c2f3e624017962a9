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

  /** Codes by ticket id, for valid and scanned tickets only. */
  async codesOf(...reservations: readonly Pick<ShownReservation, 'tickets'>[]): Promise<TicketCodes> {
    const codes = new Map<string, string>();
    const pause = pauses();
    for (const ticket of reservations.flatMap(({ tickets }) => tickets)) {
      await pause();
      if (ticket.status === 'K' || ticket.status === 'S') codes.set(ticket.id, await this.tickets.codeOf(ticket));
    }
    return codes;
  }
}
