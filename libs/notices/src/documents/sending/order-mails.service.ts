import {
  confirmEmailMessage,
  onAccountMessage,
  payAtVenueMessage,
  ticketsMessage,
  type BookingMailFacts,
  type ConfirmEmailFacts,
  type MailMessage,
  type PayAtVenueFacts,
  type ReservationMailFacts,
} from '#messages';
import { awaitsConfirmation, ConfirmationCodes, type Mail, type MailKind } from '#tickets';
import { AccountOrdersService, BankTransfersService } from '#transfers';
import { currentTenant } from '#tenancy';
import { WalletAccountsService } from '#wallet';
import { Injectable } from '@nestjs/common';
import { heldByBuyer, lineOf } from '../booking-facts.js';
import { BookingFactsService, type ReservationMail } from '../booking-facts.service.js';
import type { MailedReservation, WaitingMail } from '../mailed-reservation.js';
import { MailSourcesService } from '../mail-sources.service.js';
import { minutesHeld } from '../minutes-held.js';

const orderKinds: ReadonlySet<MailKind> = new Set<MailKind>([
  'confirm-email',
  'confirm-venue',
  'pay-at-venue',
  'tickets',
  'tickets-replaced',
  'ticket-transferred',
]);

/** Whether a mail says what somebody ordered or has to do for it. */
export const isOrderMail = ({ kind, reservationId }: Mail): boolean => reservationId !== null && orderKinds.has(kind);

interface Composed {
  readonly message: MailMessage;
  /** The mails that the message contains. */
  readonly mails: readonly Mail[];
}

/** Composes the mails about orders: of several events of one order, one message. */
@Injectable()
export class OrderMailsService {
  constructor(
    private readonly facts: BookingFactsService,
    private readonly transfers: BankTransfersService,
    private readonly accounts: AccountOrdersService,
    private readonly sources: MailSourcesService,
    private readonly codes: ConfirmationCodes,
    private readonly wallets: WalletAccountsService,
  ) {}

  /**
   * @param mails to one recipient, of one kind and order
   * @returns undefined when the first one is obsolete; others that are obsolete are left out
   */
  compose(mails: readonly WaitingMail[]): Promise<Composed | undefined> {
    switch (mails[0]?.mail.kind) {
      case 'confirm-email':
        return together(mails, (one) => this.confirmation(one), confirmEmailMessage);
      case 'confirm-venue':
      case 'pay-at-venue':
        return together(mails, (one) => this.later(one), payAtVenueMessage);
      default:
        return together(mails, (one) => this.tickets(one), ticketsMessage);
    }
  }

  /** What a customer has to pay of an order on account. @returns undefined when nothing is open, or the venue has no bank account */
  async onAccount({ reservationId, membershipId, recipient }: Mail): Promise<MailMessage | undefined> {
    const part = reservationId !== null ? { reservationId } : membershipId !== null ? { membershipId } : undefined;
    const bill = part && (await this.accounts.billOf(part));
    const transfer = bill && (await this.transfers.instructionsOf({ id: bill.orderId, cartId: null }));
    if (!bill || !transfer) return undefined;
    const { language } = currentTenant();
    const customer = { ...bill.customer, email: recipient };
    return onAccountMessage({ ...bill, customer, language, transfer, tenant: await this.sources.venue() });
  }

  private async confirmation(waiting: WaitingMail): Promise<ConfirmEmailFacts | undefined> {
    const about = await this.facts.ofMail(waiting);
    if (!about) return undefined;
    const { facts, reservation } = about;
    if (!awaitsConfirmation(reservation) || reservation.payAtVenue) return undefined;
    const held = { minutes: minutesHeld(reservation, waiting.mail), code: this.codeOf(reservation) };
    const { length: ticketsCount } = reservation.tickets;
    return { ...facts, confirmUrl: facts.holderUrl, ...held, ticketsCount, paysOnline: reservation.status === 'R' };
  }

  /** What is to be paid at the venue or by bank transfer; for `confirm-venue` with the link and code that confirm the address. */
  private async later(waiting: WaitingMail): Promise<PayAtVenueFacts | undefined> {
    const about = await this.facts.ofMail(waiting);
    if (!about) return undefined;
    const { facts, reservation } = about;
    const { status, payUntil, expiresAt, payAtVenue, tickets } = reservation;
    const isToConfirm = payUntil !== null;
    const payBefore = payUntil ?? expiresAt;
    if (status !== 'R' || !payAtVenue || payBefore === null) return undefined;
    if (isToConfirm !== (waiting.mail.kind === 'confirm-venue')) return undefined;
    return {
      ...facts,
      lines: tickets.map(lineOf),
      payBefore,
      transfer: await this.transfers.instructionsOf(reservation),
      ...(isToConfirm && { minutes: minutesHeld(reservation, waiting.mail), code: this.codeOf(reservation) }),
    };
  }

  private async tickets(waiting: WaitingMail): Promise<ReservationMailFacts | undefined> {
    const about: ReservationMail | undefined = await this.facts.ofMail(waiting);
    if (!about) return undefined;
    const { facts, reservation, given } = about;
    const { kind } = waiting.mail;
    const withTickets = await this.facts.withTickets(facts, given ? [given] : heldByBuyer(reservation), await this.wallets.offered());
    if (withTickets.tickets.length === 0) return undefined;
    return {
      ...withTickets,
      isReplacement: kind === 'tickets-replaced',
      isGift: kind === 'ticket-transferred',
      isBySeller: reservation.origin !== 'page' && !given,
    };
  }

  /** The code that confirms the order, where the venue wants one. */
  private codeOf(reservation: MailedReservation): string | undefined {
    return reservation.confirmation === 'code' ? this.codes.codeOf(reservation) : undefined;
  }
}

async function together<Facts extends BookingMailFacts>(
  mails: readonly WaitingMail[],
  factsOf: (one: WaitingMail) => Promise<Facts | undefined>,
  messageOf: (facts: Facts & { readonly others: readonly Facts[] }) => MailMessage,
): Promise<Composed | undefined> {
  const told: { mail: Mail; facts: Facts }[] = [];
  for (const waiting of mails) {
    const facts = await factsOf(waiting);
    if (facts) told.push({ mail: waiting.mail, facts });
    else if (told.length === 0) return undefined;
  }
  // As they take place, not as they were added.
  const [first, ...others] = told
    .map(({ facts }) => facts)
    .toSorted((one, other) => one.event.startsAt.getTime() - other.event.startsAt.getTime());
  return first && { message: messageOf({ ...first, others }), mails: told.map(({ mail }) => mail) };
}
