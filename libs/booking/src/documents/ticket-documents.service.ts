import { Injectable } from '@nestjs/common';
import { partsOf } from '#http';
import { databaseNow, FairLimit } from '#kernel';
import { currentTenant, TenantDb } from '#tenancy';
import { MembershipsService } from '../memberships/memberships.service.js';
import { ReservationsService } from '../reservations/reservations.service.js';
import { Ticket } from '../reservations/ticket.entity.js';
import type { ReservationMailFacts } from '#messages';
import { MailSenderService } from './mail-sender.service.js';
import { mailWords, membershipPdf, ticketsPdf, ticketsSheet } from '#messages';

/** A PDF for staff. */
export interface TicketDocument {
  /** Name of the file: event or membership, then the holder or the reference. */
  readonly name: string;
  readonly content: Buffer;
}

/** More tickets than a printer is given at once, and than a process should draw for one person. */
export const mostPrinted = 500;

/** Too many tickets for one document. */
export class TooManyTickets extends Error {}

/** Tickets and membership cards as PDF. Only what is valid is printed: cancelled and unpaid tickets have no code. */
@Injectable()
export class TicketDocumentsService {
  /** Drawing takes processor time: a process draws two documents at a time, one for each tenant, and the next ones wait. */
  private readonly inTurn = new FairLimit({ total: 2, each: 1, waiting: 20, waitMs: 60_000 });

  constructor(
    private readonly db: TenantDb,
    private readonly reservations: ReservationsService,
    private readonly memberships: MembershipsService,
    private readonly facts: MailSenderService,
  ) {}

  /** The tickets of a reservation, one on each A5 page. @returns undefined when there is none that is valid */
  async ofReservation(id: string): Promise<TicketDocument | undefined> {
    const told = await this.reservationFacts(id);
    return told && this.document(nameOf(told), () => ticketsPdf(told));
  }

  /** The tickets of a reservation on A4 pages to be cut. @returns undefined when there is none that is valid */
  async sheetOfReservation(id: string): Promise<TicketDocument | undefined> {
    const told = await this.reservationFacts(id);
    if (!told) return undefined;
    const name = nameOf(told);
    const { language, tenant } = told;
    return this.document(name, () => ticketsSheet({ language, title: name, author: tenant.name }, [told]));
  }

  /**
   * The tickets of some reservations on A4 pages to be cut, in the order of their ids.
   * @returns undefined when there is none that is valid
   * @throws TooManyTickets
   */
  async sheetOf(ids: readonly string[]): Promise<TicketDocument | undefined> {
    const all: ReservationMailFacts[] = [];
    let count = 0;
    for (const some of partsOf(ids)) {
      for (const reservation of await this.reservations.findSome(some)) {
        const told = await this.facts.ticketsOf(reservation);
        count += told?.tickets.length ?? 0;
        if (count > mostPrinted) throw new TooManyTickets();
        if (told) all.push(told);
      }
    }
    if (count === 0) return undefined;
    const events = new Set(all.map(({ event }) => event.name));
    const { language, name: author } = currentTenant();
    const title = events.size === 1 ? [...events].join('') : mailWords[language].tickets;
    return this.document(title, () => ticketsSheet({ language, title, author }, all));
  }

  /** One ticket on an A5 page. @returns undefined when there is none, or it is not valid */
  async ofTicket(id: string): Promise<TicketDocument | undefined> {
    const ticket = await this.db.transaction((tx) => tx.findOneBy(Ticket, { id }));
    const told = ticket && (await this.reservationFacts(ticket.reservationId));
    const tickets = told?.tickets.filter((one) => one.id === id) ?? [];
    if (!told || tickets.length === 0) return undefined;
    return this.document(nameOf({ ...told, tickets }), () => ticketsPdf({ ...told, tickets }));
  }

  /** The card of a member. @returns undefined when there is no such membership, or it is not paid, cancelled or over */
  async cardOf(id: string): Promise<TicketDocument | undefined> {
    const membership = await this.memberships.find(id);
    if (membership?.status !== 'active') return undefined;
    if (membership.validUntil !== null && membership.validUntil <= databaseNow()) return undefined;
    const told = await this.facts.cardOf(membership);
    const { name, firstName, lastName, reference } = told.membership;
    return this.document(fileName(name, `${firstName} ${lastName}`.trim() || reference), () => membershipPdf(told));
  }

  private async reservationFacts(id: string): Promise<ReservationMailFacts | undefined> {
    const reservation = await this.reservations.find(id);
    const told = reservation && (await this.facts.ticketsOf(reservation));
    return told && told.tickets.length > 0 ? told : undefined;
  }

  private document(name: string, draw: () => Promise<Buffer>): Promise<TicketDocument> {
    return this.inTurn.run(async () => ({ name, content: await draw() }));
  }
}

function nameOf({ event, reservation, tickets }: ReservationMailFacts): string {
  const [only] = tickets.length === 1 ? tickets : [];
  const buyer = `${reservation.firstName} ${reservation.lastName}`.trim();
  return fileName(event.name, only?.holder || buyer || reservation.reference);
}

function fileName(what: string, who: string): string {
  return `${what} - ${who}`;
}
