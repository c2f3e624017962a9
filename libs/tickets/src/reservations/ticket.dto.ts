import { ApiProperty } from '@nestjs/swagger';
import { ApiModel, formats } from '#http';
import type { WholeReservation } from './whole-reservation.js';
import type { Ticket } from '../entities/ticket.entity.js';
import { ticketStates } from '../entities/ticket-states.js';

const example: TicketBody = {
  uuid: '1997c3a7-3247-4a27-a07c-a5cbcd801d11',
  first_name: 'Ada',
  last_name: 'Martin',
  status: 'K',
  seat: 'L',
  options: ['Balcony'],
};
const states = Object.entries(ticketStates).map(([code, { en }]) => `${code} ${en}`);

/** A ticket of the legacy API (specification, "Ticket"). */
@ApiModel('LegacyTicket', { example })
export class TicketBody {
  @ApiProperty(formats.uuid)
  readonly uuid!: string;

  @ApiProperty(formats.text)
  readonly first_name!: string;

  @ApiProperty(formats.text)
  readonly last_name!: string;

  @ApiProperty({ enum: Object.keys(ticketStates), description: states.join(', ') })
  readonly status!: string;

  @ApiProperty({ ...formats.text, description: 'L: free seating.' })
  readonly seat!: string;

  @ApiProperty({ type: [String], description: 'Names.' })
  readonly options!: readonly string[];
}

/** A ticket in webhooks: the members of the API and details of its sale. */
export class WebhookTicket extends TicketBody {
  @ApiProperty({ ...formats.text, description: 'Name of the event.' })
  readonly event!: string;

  @ApiProperty(formats.uuid)
  readonly event_uuid!: string;

  @ApiProperty({ ...formats.text, description: 'Name of the price.' })
  readonly price!: string;

  @ApiProperty(formats.text)
  readonly product!: string;

  @ApiProperty(formats.uuid)
  readonly reservation_uuid!: string;
}

type ShownTicket = Pick<Ticket, 'id' | 'firstName' | 'lastName' | 'status' | 'seat'>;

/** Renders a ticket for the legacy API. @param options chosen options of its reservation */
export function toTicketBody(ticket: ShownTicket, options: readonly { readonly name: string }[]): TicketBody {
  return {
    uuid: ticket.id,
    first_name: ticket.firstName,
    last_name: ticket.lastName,
    status: ticket.status,
    seat: ticket.seat,
    options: options.map(({ name }) => name),
  };
}

/** Renders `data` of `ticket.cancelled`. */
export function toWebhookTicket(ticket: Ticket, { id, event, options }: WholeReservation): WebhookTicket {
  return {
    ...toTicketBody(ticket, options),
    event: event.name,
    event_uuid: event.id,
    price: ticket.price.name,
    product: ticket.price.product.name,
    reservation_uuid: id,
  };
}
