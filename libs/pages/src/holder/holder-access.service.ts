import { PostalAddressesService, type PublicAddress } from '#catalogue';
import { HolderLinks, ReservationsService, WholeOrdersService, type WholeReservation } from '#tickets';
import { MembershipsService, type WholeMembership } from '#memberships';
import { TaxReceiptsService, VenueInsteadService } from '#selling';
import { databaseNow, isUuid, kernelProblem } from '#kernel';
import { CheckoutsService } from '#payments';
import { ChangesService } from '#tenancy';
import { BankTransfersService } from '#transfers';
import { Injectable } from '@nestjs/common';
import { CartLinks, newlyTold, OrderLinks, type Venue, pageTenant } from '#page-kit';
import { addressOf } from '../house/house.service.js';
import { PublicEventsService } from '../public-events/public-events.service.js';
import type { SameOrder } from './parts/same-order.js';
import { type OpenedTicket, placeOf } from './pages/held-ticket.js';

/** The signed link of a reservation and one of its tickets, or the signed link of a ticket. */
export interface TicketParams {
  readonly id?: string;
  readonly mark: string;
  readonly ticket: string;
}

/** Finds what a signed link to the holder's pages opens. The link is the only credential. */
@Injectable()
export class HolderAccess {
  constructor(
    private readonly links: HolderLinks,
    private readonly reservations: ReservationsService,
    private readonly memberships: MembershipsService,
    private readonly events: PublicEventsService,
    private readonly orders: OrderLinks,
    private readonly carts: CartLinks,
    private readonly addresses: PostalAddressesService,
    private readonly venueInstead: VenueInsteadService,
    private readonly checkouts: CheckoutsService,
    private readonly transfers: BankTransfersService,
    private readonly changes: ChangesService,
    private readonly taxReceipts: TaxReceiptsService,
    private readonly wholeOrders: WholeOrdersService,
  ) {}

  /** @throws Problem `route.unknown` when the link is not valid */
  async reservation(id: string, mark: string): Promise<WholeReservation> {
    pageTenant();
    const reservation = isUuid(id) ? await this.reservations.find(id) : undefined;
    if (!reservation || !this.links.opens({ reservationId: id }, mark, reservation.linkVersion)) throw kernelProblem('route.unknown');
    return this.asTold(reservation);
  }

  /** @throws Problem `route.unknown` when the link is not valid */
  async membership(id: string, mark: string): Promise<WholeMembership> {
    pageTenant();
    const membership = isUuid(id) ? await this.memberships.find(id) : undefined;
    if (!membership || !this.links.opens({ membershipId: id }, mark, membership.linkVersion)) throw kernelProblem('route.unknown');
    return membership;
  }

  /** Who booked after the event was moved was told its new time only. */
  private async asTold(reservation: WholeReservation): Promise<WholeReservation> {
    const { event, createdAt } = reservation;
    if (event.alteration === null) return reservation;
    const movedAt = await this.changes.lastChange('event', event.id, ['starts_at', 'alteration']);
    return movedAt !== undefined && movedAt < createdAt ? { ...reservation, event: newlyTold(event) } : reservation;
  }

  /**
   * The page of the order, for a link that its buyer ended with the choice to pay at the venue, and followed from a checkout that was
   * still open elsewhere.
   * @returns undefined for every other link
   */
  async orderOfEndedLink(id: string, mark: string): Promise<string | undefined> {
    const reservation = isUuid(id) ? await this.reservations.find(id) : undefined;
    if (!reservation?.payAtVenue || reservation.linkVersion === 0) return undefined;
    const isPaidOnline = reservation.payments.some(({ method }) => method === 'online');
    const isEnded = isPaidOnline && this.links.opens({ reservationId: id }, mark, reservation.linkVersion - 1);
    return isEnded ? this.orders.pathTo(id) : undefined;
  }

  /** Path of the tax receipt for the donation of a reservation's order; undefined: there is none, and none can be asked for. */
  async taxReceiptPathOf({ cartId }: WholeReservation): Promise<string | undefined> {
    if (cartId === null || !(await this.taxReceipts.isFor(cartId))) return undefined;
    return `${this.carts.donationPathTo(cartId)}/receipt`;
  }

  /** The other reservations of its order that the same person has; undefined: none. */
  async sameOrderOf(reservation: WholeReservation): Promise<SameOrder | undefined> {
    const order = await this.wholeOrders.of(reservation);
    const own = order?.parts.find(({ id }) => id === reservation.id);
    const others = order?.parts.filter(({ id, emailKey }) => id !== reservation.id && emailKey === own?.emailKey) ?? [];
    if (!order || !own || others.length === 0) return undefined;
    return {
      total: order.total,
      isPass: own.isPass && others.some(({ isPass }) => isPass),
      others: others.map((part) => ({ ...part, path: this.links.pathTo({ reservationId: part.id }, part.linkVersion) })),
      path: this.carts.pathTo(reservation.cartId as string),
    };
  }

  /** The profile that the frame of the pages shows. */
  venue(): Promise<Venue> {
    return this.events.venue();
  }

  /** Where the event is: its own address, or that of the venue. */
  async addressOf({ event }: WholeReservation, venue: Venue): Promise<PublicAddress | null> {
    const own = event.postalAddressId === null ? null : await this.addresses.find(event.postalAddressId);
    return own ?? addressOf({ venue });
  }

  /** The path of the holder's page. */
  pathTo({ id, linkVersion }: WholeReservation): string {
    return this.links.pathTo({ reservationId: id }, linkVersion);
  }

  /** The page where a reservation of the pages can be paid whose checkout is not open yet; undefined when nothing is to be paid there. */
  payPathTo({ id, cartId, origin, status, payAtVenue, payUntil }: WholeReservation): string | undefined {
    if (origin !== 'page' || status !== 'R' || payAtVenue || payUntil !== null) return undefined;
    return cartId === null ? this.orders.pathTo(id) : this.carts.pathTo(cartId);
  }

  /**
   * The other way in which a reservation of the pages that is not paid can be paid now. The parts of a cart change to the venue
   * together, on its page.
   */
  async otherWay(reservation: WholeReservation): Promise<'online' | 'venue' | undefined> {
    const { cartId, origin, status, payAtVenue, payUntil, expiresAt } = reservation;
    const isHeld = origin === 'page' && expiresAt !== null && expiresAt > databaseNow();
    if (!isHeld || payUntil !== null) return undefined;
    // Its tickets may have the price of a membership that the same transfer pays.
    if (payAtVenue && cartId !== null && (await this.transfers.paysMembership(cartId))) return undefined;
    if (payAtVenue) return status === 'R' && (await this.checkouts.available()) ? 'online' : undefined;
    if (cartId !== null) return undefined;
    return (await this.venueInstead.onlineOnly({ parts: [reservation] }))?.length === 0 ? 'venue' : undefined;
  }

  /** @throws Problem `route.unknown` when the link is not valid */
  ticket({ id, mark, ticket }: TicketParams): Promise<OpenedTicket> {
    return id === undefined ? this.givenTicket(ticket, mark) : this.ownTicket(id, mark, ticket.toLowerCase());
  }

  /** Like `ticket`. @throws Problem `route.unknown` also when the ticket was given to somebody else */
  async heldTicket(params: TicketParams): Promise<OpenedTicket> {
    const opened = await this.ticket(params);
    if (opened.isGivenAway) throw kernelProblem('route.unknown');
    return opened;
  }

  /** A ticket of a reservation; given away when the buyer no longer holds it. */
  private async ownTicket(id: string, mark: string, ticketId: string): Promise<OpenedTicket> {
    const reservation = await this.reservation(id, mark);
    const index = reservation.tickets.findIndex((one) => one.id === ticketId);
    const ticket = reservation.tickets[index];
    if (!ticket) throw kernelProblem('route.unknown');
    const path = this.pathTo(reservation);
    const back = `${path}#${placeOf(index)}`;
    const more = await this.venueAndAddress(reservation);
    return { reservation, ticket, path: `${path}/tickets/${ticket.id}`, back, ...more, isGivenAway: ticket.holderEmail !== null };
  }

  /** A ticket that was given to the owner of the link. */
  private async givenTicket(ticketId: string, mark: string): Promise<OpenedTicket> {
    pageTenant();
    const found = isUuid(ticketId) ? await this.reservations.findOfTicket(ticketId) : undefined;
    const reservation = found && (await this.asTold(found));
    const ticket = reservation?.tickets.find(({ id }) => id === ticketId.toLowerCase());
    if (!reservation || !ticket) throw kernelProblem('route.unknown');
    const subject = { ticketId: ticket.id };
    for (let version = ticket.codeVersion; version > 0; version -= 1) {
      if (!this.links.opens(subject, mark, version)) continue;
      const path = this.links.pathTo(subject, version);
      const isGivenAway = version !== ticket.codeVersion || ticket.holderEmail === null;
      return { reservation, ticket, path, back: path, ...(await this.venueAndAddress(reservation)), isGivenAway };
    }
    throw kernelProblem('route.unknown');
  }

  private async venueAndAddress(reservation: WholeReservation): Promise<Pick<OpenedTicket, 'venue' | 'address'>> {
    const venue = await this.venue();
    return { venue, address: await this.addressOf(reservation, venue) };
  }
}
