import type { WebhookData } from '#webhooks';
import type { WholeReservation } from './whole-reservation.js';
import type { Ticket } from '../entities/ticket.entity.js';

/** A ticket of the legacy API (specification, "Ticket"). */
export interface TicketBody {
  readonly uuid: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly status: string;
  readonly seat: string;
  /** Names of options. */
  readonly options: readonly string[];
}

type ShownTicket = Pick<Ticket, 'id' | 'firstName' | 'lastName' | 'status' | 'seat'>;

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

/** `data` of `ticket.cancelled`: the ticket as the API shows it, and what it was for. */
export function toTicketNews(ticket: Ticket, { id, event, options }: WholeReservation): WebhookData {
  return {
    ...toTicketBody(ticket, options),
    event: event.name,
    event_uuid: event.id,
    price: ticket.price.name,
    product: ticket.price.product.name,
    reservation_uuid: id,
  };
}
