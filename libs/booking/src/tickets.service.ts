import { Injectable } from '@nestjs/common';
import { TenantDb } from '#tenancy';
import { renderCode } from './qr-code.js';
import { SigningKeys } from './signing-keys.service.js';
import { Ticket } from './ticket.entity.js';
import type { TicketStatus } from './ticket-states.js';

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
export class Tickets {
  constructor(
    private readonly db: TenantDb,
    private readonly signingKeys: SigningKeys,
  ) {}

  /** The code of a ticket: always the same string for the same ticket. */
  async codeOf(ticket: Pick<Ticket, 'id' | 'signingKeyId'>): Promise<string> {
    return renderCode(ticket.signingKeyId, ticket.id, await this.signingKeys.privateKey(ticket.signingKeyId));
  }

  /**
   * Tickets with their codes: events that are not over first, by start, then by name.
   * @param filter `event`: UUID or slug; `status`: a ticket state
   */
  async list(filter: { event?: string; status?: TicketStatus; limit?: number } = {}): Promise<TicketListing[]> {
    const rows = await this.db.transaction((tx) => {
      const query = tx
        .createQueryBuilder(Ticket, 'ticket')
        .innerJoinAndSelect('ticket.event', 'event')
        .innerJoinAndSelect('ticket.price', 'price')
        // TypeORM knows an expression to sort by only under a name.
        .addSelect("coalesce(event.endsAt, event.startsAt + interval '6 hours') < now()", 'event_over')
        .orderBy({ event_over: 'ASC', 'event.startsAt': 'ASC', 'ticket.lastName': 'ASC', 'ticket.firstName': 'ASC' })
        .addOrderBy('ticket.id', 'ASC')
        .limit(filter.limit);
      if (filter.event)
        query.andWhere('(event.id::text = :event or event.slug = :event)', { event: filter.event.toLowerCase() });
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
}
