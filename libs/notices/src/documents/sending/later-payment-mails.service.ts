import { payAtVenueMessage, type BookingMailFacts, type MailMessage } from '#messages';
import type { Mail } from '#tickets';
import { BankTransfersService } from '#transfers';
import { Injectable } from '@nestjs/common';
import { lineOf } from '../booking-facts.js';
import type { MailedReservation } from '../mailed-reservation.js';
import { minutesHeld } from '../minutes-held.js';

/** Mails about what is to be paid later: at the venue, or by bank transfer. */
@Injectable()
export class LaterPaymentMailsService {
  constructor(private readonly transfers: BankTransfersService) {}

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
