import { MembershipsService } from '#memberships';
import { ReservationsService, Ticket } from '#tickets';
import { Injectable } from '@nestjs/common';
import { partsOf } from '#http';
import { databaseNow, drawDocument } from '#kernel';
import { currentTenant, TenantDb } from '#tenancy';
import type { ReservationMailFacts } from '#messages';
import { BookingFactsService } from '../booking-facts.service.js';
import { mailWords, membershipPdf, ticketsPdf, ticketsSheet } from '#messages';

/** A PDF for staff. */
export interface TicketDocument {
  /** File name without extension: event or membership, then the holder or the reference. */
  readonly name: string;
  readonly content: Buffer;
}

/** Maximum tickets in one document; limits the processor time of one request. */
export const mostPrinted = 500;

/** Too many tickets for one document. */
export class TooManyTickets extends Error {}

/** Tickets and membership cards as PDF. Cancelled and unpaid tickets are left out, because they have no code. */
@Injectable()
export class TicketDocumentsService {
  constructor(
    private readonly db: TenantDb,
    private readonly reservations: ReservationsService,
    private readonly memberships: MembershipsService,
    private readonly facts: BookingFactsService,
  ) {}

  /** The tickets of a reservation, one per A5 page. @returns undefined when none is valid */
  async ofReservation(id: string): Promise<TicketDocument | undefined> {
    const facts = await this.reservationFacts(id);
    return facts && ticketsOf(facts);
  }

  /** The tickets of a reservation on A4 pages for cutting. @returns undefined when none is valid */
  async sheetOfReservation(id: string): Promise<TicketDocument | undefined> {
    const facts = await this.reservationFacts(id);
    if (!facts) return undefined;
    const name = nameOf(facts);
    const { language, tenant } = facts;
    return sheet(name, { language, title: name, author: tenant.name }, [facts]);
  }

  /**
   * The tickets of several reservations on A4 pages for cutting, in the order of `ids`.
   * @returns undefined when none is valid
   * @throws TooManyTickets above `mostPrinted`
   */
  async sheetOf(ids: readonly string[]): Promise<TicketDocument | undefined> {
    const all: ReservationMailFacts[] = [];
    let count = 0;
    for (const some of partsOf(ids)) {
      for (const reservation of await this.reservations.findSome(some)) {
        const facts = await this.facts.ticketsOf(reservation);
        count += facts?.tickets.length ?? 0;
        if (count > mostPrinted) throw new TooManyTickets();
        if (facts) all.push(facts);
      }
    }
    if (count === 0) return undefined;
    const events = new Set(all.map(({ event }) => event.name));
    const { language, name: author } = currentTenant();
    const title = events.size === 1 ? [...events].join('') : mailWords[language].tickets;
    return sheet(title, { language, title, author }, all);
  }

  /** One ticket on an A5 page. @returns undefined when it does not exist or is not valid */
  async ofTicket(id: string): Promise<TicketDocument | undefined> {
    const ticket = await this.db.transaction((tx) => tx.findOneBy(Ticket, { id }));
    const reservation = ticket && (await this.reservations.find(ticket.reservationId));
    const facts =
      reservation &&
      (await this.facts.ticketsOf(
        reservation,
        reservation.tickets.find((one) => one.id === id),
      ));
    return facts && facts.tickets.length > 0 ? ticketsOf(facts) : undefined;
  }

  /** The membership card. @returns undefined when the membership does not exist or is unpaid, cancelled or expired */
  async cardOf(id: string): Promise<TicketDocument | undefined> {
    const membership = await this.memberships.find(id);
    if (membership?.status !== 'active') return undefined;
    if (membership.validUntil !== null && membership.validUntil <= databaseNow()) return undefined;
    const facts = await this.facts.cardOf(membership);
    const { name, firstName, lastName, reference } = facts.membership;
    const content = await drawDocument('staff', 'card', facts, () => membershipPdf(facts));
    return { name: fileName(name, `${firstName} ${lastName}`.trim() || reference), content };
  }

  private async reservationFacts(id: string): Promise<ReservationMailFacts | undefined> {
    const reservation = await this.reservations.find(id);
    const facts = reservation && (await this.facts.ticketsOf(reservation));
    return facts && facts.tickets.length > 0 ? facts : undefined;
  }
}

async function ticketsOf(facts: ReservationMailFacts): Promise<TicketDocument> {
  return { name: nameOf(facts), content: await drawDocument('staff', 'tickets', facts, () => ticketsPdf(facts)) };
}

async function sheet(
  name: string,
  head: Parameters<typeof ticketsSheet>[0],
  all: readonly ReservationMailFacts[],
): Promise<TicketDocument> {
  return { name, content: await drawDocument('staff', 'sheet', [head, all], () => ticketsSheet(head, all)) };
}

function nameOf({ event, reservation, tickets }: ReservationMailFacts): string {
  const [only] = tickets.length === 1 ? tickets : [];
  const buyer = `${reservation.firstName} ${reservation.lastName}`.trim();
  return fileName(event.name, only?.holder || buyer || reservation.reference);
}

function fileName(what: string, who: string): string {
  return `${what} - ${who}`;
}
