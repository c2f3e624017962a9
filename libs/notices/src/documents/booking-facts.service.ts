import type { WholeEvent } from '#catalogue';
import { currency } from '#kernel';
import { MembershipsService, membershipWithdrawableUntil, type WholeMembership } from '#memberships';
import type { BookingMailFacts, MailTenant, MembershipMailFacts, ReservationMailFacts } from '#messages';
import { currentTenant } from '#tenancy';
import { HolderLinks, isGoodsAlone, ReservationsService } from '#tickets';
import { nothingOffered, type WalletOffer } from '#wallet';
import { Injectable } from '@nestjs/common';
import { factsOf, heldByBuyer, lineOf, referenceOf, walletLinks, type GivenTicket } from './booking-facts.js';
import { MailSourcesService } from './mail-sources.service.js';
import type { MailedReservation, WaitingMail } from './mailed-reservation.js';

/** What a mail about a reservation says, whatever its kind. */
export interface ReservationMail {
  readonly facts: BookingMailFacts;
  readonly reservation: MailedReservation;
  /** The ticket of its recipient; undefined: the recipient is the buyer. */
  readonly given: GivenTicket | undefined;
}

/** Reads what mails and documents say about reservations. */
@Injectable()
export class BookingFactsService {
  constructor(
    private readonly sources: MailSourcesService,
    private readonly reservations: ReservationsService,
    private readonly memberships: MembershipsService,
    private readonly links: HolderLinks,
  ) {}

  /** @returns undefined when the mail is obsolete: the address was corrected, or the ticket was given on, since; that sends another mail */
  async ofMail({ mail, reservation, isConfirmed, texts }: WaitingMail): Promise<ReservationMail | undefined> {
    if (!reservation) return undefined;
    const given = mail.ticketId === null ? undefined : reservation.tickets.find(({ id }) => id === mail.ticketId);
    if ((mail.ticketId === null ? reservation.email : given?.holderEmail) !== mail.recipient) return undefined;
    const [event, venue] = [await this.sources.recentEvent(reservation.event), await this.sources.recentVenue()];
    return event && { reservation, given, facts: this.factsOf(reservation, event, venue, { given, isConfirmed, texts }) };
  }

  /**
   * The content of a PDF about a reservation and its valid tickets.
   * @param given the ticket that its holder reads about; default: the tickets that the buyer holds
   * @returns undefined when the event does not exist
   */
  async ticketsOf(reservation: MailedReservation, given?: GivenTicket): Promise<ReservationMailFacts | undefined> {
    const facts = await this.aboutBooking(reservation, given);
    return facts && this.withTickets(facts, given ? [given] : heldByBuyer(reservation));
  }

  /** The content of a document about a reservation. @param given see `ticketsOf` @returns undefined when the event does not exist */
  async aboutBooking(reservation: MailedReservation, given?: GivenTicket): Promise<BookingMailFacts | undefined> {
    const event = await this.sources.event(reservation.eventId);
    return event && this.factsOf(reservation, event, await this.sources.venue(), { given });
  }

  /** @param given a ticket that was given to somebody else: the facts are for that person */
  private factsOf(
    reservation: MailedReservation,
    event: WholeEvent,
    venue: MailTenant,
    { given, texts = [], ...more }: Partial<Pick<WaitingMail, 'isConfirmed' | 'texts'>> & { readonly given?: GivenTicket | undefined },
  ): BookingMailFacts {
    const url = this.sources.pageOf(event);
    const { id, linkVersion } = reservation;
    if (!given?.holderEmail)
      return factsOf(reservation, event, venue, { ...more, url, holderUrl: this.links.urlTo({ reservationId: id }, linkVersion), texts });
    const { firstName, lastName, amount, holderEmail: email } = given;
    const holderUrl = this.links.urlTo({ ticketId: given.id }, given.codeVersion);
    const facts = factsOf(reservation, event, venue, { ...more, url, holderUrl, texts });
    const gift = { isGoods: isGoodsAlone([given]), hidesAmounts: true, withdrawUrl: undefined };
    return { ...facts, ...gift, reservation: { ...facts.reservation, email, firstName, lastName, total: amount } };
  }

  /** @param offer of the wallets that the venue makes passes for */
  async withTickets(
    facts: BookingMailFacts,
    shown: readonly GivenTicket[],
    offer: WalletOffer = nothingOffered,
  ): Promise<ReservationMailFacts> {
    const codes = await this.reservations.codesOfTickets(shown);
    const tickets = shown.flatMap((ticket) => {
      const code = codes.get(ticket.id);
      if (code === undefined) return [];
      const { id, admission } = ticket;
      return [{ ...lineOf(ticket), id, code, admission, wallets: walletLinks(facts.holderUrl, ticket, offer) }];
    });
    return { ...facts, tickets, isGoods: isGoodsAlone(shown) };
  }

  /** The content of a mail or PDF about a membership. */
  async cardOf(membership: WholeMembership): Promise<MembershipMailFacts> {
    const { id, email, firstName, lastName, product, price, amount, validFrom, validUntil, language, linkVersion } = membership;
    const [tenant, holderUrl] = [await this.sources.venue(), this.links.urlTo({ membershipId: id }, linkVersion)];
    return {
      language: language ?? currentTenant().language,
      tenant,
      holderUrl,
      withdrawal: withdrawalOf(membership, tenant, holderUrl),
      membership: {
        id,
        reference: referenceOf(id),
        email,
        firstName,
        lastName,
        name: `${product.name} · ${price.name}`,
        amount,
        currency,
        validFrom,
        validUntil,
        code: await this.memberships.codeOf(membership),
      },
    };
  }
}

/** The page where a member withdraws, while that is possible. */
function withdrawalOf(
  membership: WholeMembership,
  { hasWithdrawal }: { readonly hasWithdrawal?: boolean },
  holderUrl: string,
): MembershipMailFacts['withdrawal'] {
  const until = hasWithdrawal ? membershipWithdrawableUntil(membership) : undefined;
  return until && { url: `${holderUrl}/withdraw`, until };
}
