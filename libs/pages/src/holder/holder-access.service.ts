import { HolderLinks, ReservationsService, type WholeReservation } from '#booking';
import { isUuid, kernelProblem } from '#kernel';
import { Injectable } from '@nestjs/common';
import { pageTenant } from '../frame/page-answer.js';

export type HeldTicket = WholeReservation['tickets'][number];

/** A ticket that a signed link opened. */
export interface OpenedTicket {
  readonly reservation: WholeReservation;
  readonly ticket: HeldTicket;
  /** Path of the ticket's own pages. */
  readonly path: string;
  /** Path of the page that shows the ticket, with its place there. */
  readonly back: string;
}

/** Finds what a signed link to the holder's pages opens. The link is the only credential. */
@Injectable()
export class HolderAccess {
  constructor(
    private readonly links: HolderLinks,
    private readonly reservations: ReservationsService,
  ) {}

  /** @throws Problem `route.unknown` when the link is not valid */
  async reservation(id: string, mark: string): Promise<WholeReservation> {
    pageTenant();
    const reservation = isUuid(id) ? await this.reservations.find(id) : undefined;
    if (!reservation || !this.links.opens({ reservationId: id }, mark, reservation.linkVersion)) throw kernelProblem('route.unknown');
    return reservation;
  }

  /** The path of the holder's page. */
  pathTo({ id, linkVersion }: WholeReservation): string {
    return this.links.pathTo({ reservationId: id }, linkVersion);
  }

  /** @throws Problem `route.unknown` when the link is not valid or the reservation has no such ticket */
  async ticket(id: string, mark: string, ticketId: string): Promise<OpenedTicket> {
    const reservation = await this.reservation(id, mark);
    const index = reservation.tickets.findIndex((one) => one.id === ticketId.toLowerCase());
    const ticket = reservation.tickets[index];
    if (!ticket) throw kernelProblem('route.unknown');
    const path = this.pathTo(reservation);
    return { reservation, ticket, path: `${path}/tickets/${ticket.id}`, back: `${path}#${placeOf(index)}` };
  }
}

/** Id of the element that shows a ticket. @param index from 0 */
export function placeOf(index: number): string {
  return `ticket-${index + 1}`;
}

/** Whether a ticket can still be changed: not scanned, handed out or cancelled. */
export function isChangeable({ status, fulfilledAt }: Pick<HeldTicket, 'status' | 'fulfilledAt'>): boolean {
  return (status === 'C' || status === 'N' || status === 'K') && fulfilledAt === null;
}
