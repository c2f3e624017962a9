import { type WholeMembership, MembershipsService } from '#memberships';
import {
  awaitsConfirmation,
  ConfirmationCodes,
  isGoodsAlone,
  HolderLinks,
  bulkMailJob,
  noteMail,
  recordMailOutcome,
  mailJob,
  ReservationsService,
  type Mail,
  type MailStatus,
} from '#tickets';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { WholeEvent } from '#catalogue';
import { currency } from '#kernel';
import {
  MailDelayedError,
  MailRefusedError,
  MailTransportService,
  type MailMessage,
  confirmEmailMessage,
  eventCancelledMessage,
  membershipMessage,
  refundedMessage,
  reservationCancelledMessage,
  ticketsMessage,
} from '#messages';
import { JobPostponed, JobsService, type JobAttempt, type JobWork } from '#jobs';
import { nothingOffered, WalletAccountsService, type WalletOffer } from '#wallet';
import { currentTenant, QuotasService, secondsToTomorrow, TenantDb } from '#tenancy';
import type { BookingMailFacts, MailTenant, MembershipMailFacts, ReservationMailFacts } from '#messages';
import { minutesHeld } from '../minutes-held.js';
import { MailPace } from '../mail-pace.js';
import { MailSourcesService } from '../mail-sources.service.js';
import { ownTextsIn } from '../../mails/mail-text-rules.js';
import { causeOf, factsOf, heldByBuyer, lineOf, referenceOf, refundsOf, walletLinks, type GivenTicket } from '../booking-facts.js';
import { EventNoticeMailsService } from './event-notice-mails.service.js';
import { FollowerMailsService } from './follower-mails.service.js';
import { ExampleMailsService } from '../example-mails.service.js';
import { GiftCardDocumentsService } from './gift-card-documents.service.js';
import { HolderNoticesService, isHolderNotice } from './holder-notices.service.js';
import { LaterPaymentMailsService } from './later-payment-mails.service.js';
import { isMembershipNotice, MembershipNoticesService } from './membership-notices.service.js';
import { WithdrawalMailsService, withdrawalOf } from './withdrawal-mails.service.js';
import { WaitingMailsService } from './waiting-mails.service.js';
import { readWaitingMail, type MailedReservation, type WaitingMail } from '../mailed-reservation.js';

/** Seconds after which a mail beyond the quota looks again, in case that an operator raised it. */
const quotaPauseSeconds = 900;
/** What staff read beside a mail that waits for the next day. */
const dailyQuota = 'daily quota of the place';

/** Sends the waiting mails. Their text is rendered at that time from current data. */
@Injectable()
export class MailSenderService implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly jobs: JobsService,
    private readonly transport: MailTransportService,
    private readonly reservations: ReservationsService,
    private readonly memberships: MembershipsService,
    private readonly sources: MailSourcesService,
    private readonly waiting: WaitingMailsService,
    private readonly notices: MembershipNoticesService,
    private readonly holderNotices: HolderNoticesService,
    private readonly withdrawals: WithdrawalMailsService,
    private readonly giftCards: GiftCardDocumentsService,
    private readonly later: LaterPaymentMailsService,
    private readonly eventNotices: EventNoticeMailsService,
    private readonly followers: FollowerMailsService,
    private readonly examples: ExampleMailsService,
    private readonly links: HolderLinks,
    private readonly codes: ConfirmationCodes,
    private readonly pace: MailPace,
    private readonly wallets: WalletAccountsService,
    private readonly quotas: QuotasService,
  ) {}

  onModuleInit(): void {
    const send: JobWork = async (id, attempt) => {
      await this.pace.turn();
      await this.send(id, attempt);
    };
    this.jobs.handle(mailJob, send);
    this.jobs.handle(bulkMailJob, send, { isBulk: true });
  }

  /**
   * Sends one mail and records the outcome; for a mail with tickets also on the reservation (P, FA→V, PE, PN).
   * @throws MailDelayedError so that the queue retries it
   */
  async send(id: string, { isLast }: Pick<JobAttempt, 'isLast'>): Promise<void> {
    const waiting = await readWaitingMail(this.db, id);
    if (!waiting) return;
    const { mail } = waiting;
    if (!waiting.isConfirmed && mail.kind !== 'test') await this.demandQuota(mail);
    try {
      const message = await this.compose(waiting);
      if (!message) return await this.note(mail, 'obsolete', null);
      // Each attempt uses the same Message-ID, so that mailboxes can remove duplicates.
      await this.transport.send({ ...message, messageId: `${id}@${currentTenant().host}` });
    } catch (error) {
      if (error instanceof MailRefusedError) {
        if (mail.followerId !== null) return this.followers.end(mail.followerId);
        return this.note(mail, 'refused', error.message);
      }
      const known = error instanceof MailDelayedError;
      if (known || isLast) await this.note(mail, isLast ? 'given_up' : 'waiting', known ? error.message : null);
      if (!known || !isLast) throw error;
      return;
    }
    await this.note(mail, this.transport.delivers ? 'sent' : 'kept', null);
  }

  /** @throws JobPostponed when the tenant has sent its mails of today to addresses that never opened one */
  private async demandQuota(mail: Mail): Promise<void> {
    if (await this.quotas.take('mails')) return;
    await this.note(mail, 'waiting', dailyQuota);
    throw new JobPostponed(Math.min(secondsToTomorrow(), quotaPauseSeconds));
  }

  /**
   * Stores the outcome; that of a mail with tickets also on the reservation. A mail that was withdrawn while it was being sent counts as
   * sent. A mail that is only kept as a file counts as not sent (PN).
   */
  private async note({ id, kind, reservationId, recipient }: Mail, status: MailStatus, answer: string | null): Promise<void> {
    const outcome = outcomes[status];
    const noted = { id, recipient, status, answer };
    if (kind === 'tickets' && reservationId !== null && outcome) await recordMailOutcome(this.db, reservationId, outcome, noted);
    else await noteMail(this.db, noted);
  }

  /** @returns undefined when the mail is obsolete */
  private async compose({ mail, reservation, isConfirmed, texts }: WaitingMail): Promise<MailMessage | undefined> {
    if (mail.kind === 'test') return this.examples.test(mail);
    if (mail.followerId !== null) return this.followers.compose(mail, mail.followerId, texts);
    const isReplacement = mail.kind === 'tickets-replaced' || mail.kind === 'membership-replaced';
    if (mail.giftCardId !== null) return this.giftCards.compose(mail, mail.giftCardId);
    if (mail.kind === 'on-account') return this.later.onAccount(mail);
    if (mail.kind === 'withdrawal') return this.withdrawals.compose(mail, reservation);
    if (mail.waitingEntryId !== null) return this.waiting.compose(mail, mail.waitingEntryId, texts);
    if (mail.membershipId !== null && isMembershipNotice(mail.kind))
      return this.notices.compose(mail, mail.membershipId, { isConfirmed, texts });
    if (mail.membershipId !== null) return this.card(mail.membershipId, mail.recipient, { isReplacement, isConfirmed, texts });
    if (!reservation) return undefined;
    if (isHolderNotice(mail.kind)) return this.holderNotices.compose(mail, reservation, { isConfirmed, texts });
    const given = mail.ticketId === null ? undefined : reservation.tickets.find(({ id }) => id === mail.ticketId);
    // The address was corrected, or the ticket was given on, since: that change sends another mail.
    if ((mail.ticketId === null ? reservation.email : given?.holderEmail) !== mail.recipient) return undefined;
    const [event, venue] = [await this.sources.recentEvent(reservation.event), await this.sources.recentVenue()];
    if (!event) return undefined;
    const facts = this.factsOf(reservation, event, venue, { given, isConfirmed, texts });
    // Only the buyer paid.
    const refunds = given ? [] : refundsOf(reservation);
    const refund = refunds.find(({ way }) => way === 'online');
    switch (mail.kind) {
      case 'confirm-email': {
        if (!awaitsConfirmation(reservation) || reservation.payAtVenue) return undefined;
        const paysOnline = reservation.status === 'R';
        const { length: ticketsCount } = reservation.tickets;
        const held = { minutes: minutesHeld(reservation, mail), code: this.codeOf(reservation) };
        return confirmEmailMessage({ ...facts, confirmUrl: facts.holderUrl, ...held, ticketsCount, paysOnline });
      }
      case 'confirm-venue':
      case 'pay-at-venue':
        return this.later.compose(mail, facts, reservation, this.codeOf(reservation));
      case 'tickets':
      case 'ticket-transferred':
      case 'tickets-replaced': {
        const tickets = given ? [given] : heldByBuyer(reservation);
        const withTickets = {
          ...(await this.withTickets(facts, tickets, await this.wallets.offered())),
          isReplacement,
          isGift: mail.kind === 'ticket-transferred',
          isBySeller: reservation.origin !== 'page' && !given,
        };
        return withTickets.tickets.length > 0 ? ticketsMessage(withTickets) : undefined;
      }
      case 'event-changed':
      case 'event-message':
      case 'event-reminder':
        return this.eventNotices.compose(mail, reservation.event, given ? [given] : heldByBuyer(reservation), facts);
      case 'event-cancelled':
        return eventCancelledMessage({ ...facts, words: mail.note ?? '', refunds });
      case 'refunded':
        return refund ? refundedMessage({ ...facts, refund, cause: causeOf(reservation) }) : undefined;
      default:
        return reservationCancelledMessage({ ...facts, words: mail.note ?? '', refunds });
    }
  }

  /** The code that confirms the order, where the venue wants one. */
  private codeOf(reservation: MailedReservation): string | undefined {
    return reservation.confirmation === 'code' ? this.codes.codeOf(reservation) : undefined;
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

  private async withTickets(
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

  private async card(
    id: string,
    recipient: string,
    { isReplacement, isConfirmed, texts }: Pick<WaitingMail, 'isConfirmed' | 'texts'> & { readonly isReplacement: boolean },
  ): Promise<MailMessage | undefined> {
    const membership = await this.memberships.find(id);
    if (membership?.status !== 'active' || membership.email !== recipient) return undefined;
    const facts = await this.cardOf(membership);
    const isBySeller = membership.byUserId !== null || membership.byKeyId !== null;
    return membershipMessage({ ...facts, isReplacement, isConfirmed, isBySeller, own: ownTextsIn(texts, facts.language) });
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

/** The state that a reservation enters for each outcome of its mail with tickets. */
const outcomes: Partial<Record<MailStatus, 'V' | 'PE' | 'PN'>> = { sent: 'V', kept: 'PN', refused: 'PE', given_up: 'PN' };
