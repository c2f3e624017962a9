import { onAccountMessage, payAtVenueMessage, type BookingMailFacts, type MailMessage } from '#messages';
import type { Mail } from '#tickets';
import { AccountOrdersService, BankTransfersService } from '#transfers';
import { currentTenant } from '#tenancy';
import { Injectable } from '@nestjs/common';
import { lineOf } from '../booking-facts.js';
import type { MailedReservation } from '../mailed-reservation.js';
import { MailSourcesService } from '../mail-sources.service.js';
import { minutesHeld } from '../minutes-held.js';

/** Mails about what is to be paid later: at the venue, or by bank transfer. */
@Injectable()
export class LaterPaymentMailsService {
  constructor(
    private readonly transfers: BankTransfersService,
    private readonly accounts: AccountOrdersService,
    private readonly sources: MailSourcesService,
  ) {}

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

  /**
   * What is to be paid; for `confirm-venue` with the link that confirms the address.
   * @param code that confirms it, too
   * @returns undefined when the mail is obsolete
   */
  async compose(mail: Mail, facts: BookingMailFacts, reservation: MailedReservation, code?: string): Promise<MailMessage | undefined> {
    const { status, payUntil, expiresAt, payAtVenue, tickets } = reservation;
    const isToConfirm = payUntil !== null;
    const payBefore = payUntil ?? expiresAt;
    if (status !== 'R' || !payAtVenue || payBefore === null || isToConfirm !== (mail.kind === 'confirm-venue')) return undefined;
    return payAtVenueMessage({
      ...facts,
      lines: tickets.map(lineOf),
      payBefore,
      transfer: await this.transfers.instructionsOf(reservation),
      ...(isToConfirm && { minutes: minutesHeld(reservation, mail), code }),
    });
  }
}
