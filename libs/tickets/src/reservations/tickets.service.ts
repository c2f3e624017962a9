import { Inject, Injectable } from '@nestjs/common';
import { eventIsOverSql } from '#catalogue';
import { SETTINGS, type Settings } from '#kernel';
import { TenantDb } from '#tenancy';
import { refuseUnfitName } from '../people/holder-names.js';
import { SigningKeysService, type CodeSubject } from '../signing/signing-keys.service.js';
import { Ticket } from '../entities/ticket.entity.js';
import type { TicketStatus } from '../entities/ticket-states.js';

export interface TicketListing {
  readonly uuid: string;
  readonly status: TicketStatus;
  readonly event: string;
  readonly event_uuid: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly price: string;
  readonly reservation_uuid: string;
  readonly qrcode_data: string;
}

/** Tickets of the current tenant. */
@Injectable()
export class TicketsService {
  constructor(
    private readonly db: TenantDb,
    private readonly signingKeys: SigningKeysService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** The code of a ticket; deterministic. */
  codeOf(ticket: CodeSubject): Promise<string> {
    return this.signingKeys.codeOf(ticket);
  }

  /**
   * Lists tickets with their codes: upcoming and running events first, then by start of the event and name of the holder.
   * @param filter `event`: UUID or slug; `status`: a ticket state
   */
  async list(filter: { event?: string; status?: TicketStatus; limit?: number } = {}): Promise<TicketListing[]> {
    const rows = await this.db.transaction((tx) => {
      const query = tx
        .createQueryBuilder(Ticket, 'ticket')
        .innerJoinAndSelect('ticket.event', 'event')
        .innerJoinAndSelect('ticket.price', 'price')
        // TypeORM sorts by an expression only when it is selected with an alias.
        .addSelect(eventIsOverSql('event', this.settings), 'event_over')
        .where('not exists (select 1 from reservation r where r.id = ticket.reservation_id and r.is_draft)')
        .orderBy({ event_over: 'ASC', 'event.startsAt': 'ASC', 'ticket.lastName': 'ASC', 'ticket.firstName': 'ASC' })
        .addOrderBy('ticket.id', 'ASC')
        .limit(filter.limit);
      if (filter.event) query.andWhere('(event.id::text = :event or event.slug = :event)', { event: filter.event.toLowerCase() });
      if (filter.status) query.andWhere('ticket.status = :status', { status: filter.status });
      return query.getMany();
    });
    const listing: TicketListing[] = [];
    for (const ticket of rows) {
      listing.push({
        uuid: ticket.id,
        status: ticket.status,
        event: ticket.event.name,
        event_uuid: ticket.eventId,
        first_name: ticket.firstName,
        last_name: ticket.lastName,
        price: ticket.price.name,
        reservation_uuid: ticket.reservationId,
        qrcode_data: await this.codeOf(ticket),
      });
    }
    return listing;
  }

  /**
   * Changes the holder of a ticket.
   * @returns false when it does not exist or is cancelled
   * @throws RefusedInput on `firstName`, `lastName`
   */
  async rename(id: string, firstName: string, lastName: string): Promise<boolean> {
    refuseUnfitName({ firstName, lastName });
    const [rows] = await this.db.transaction((tx) =>
      tx.query<[unknown[], number]>(
        `update ticket set first_name = $2, last_name = $3, sequence = sequence + 1 where id = $1 and status <> 'R' returning id`,
        [id, firstName.trim(), lastName.trim()],
      ),
    );
    return rows.length > 0;
  }
}
