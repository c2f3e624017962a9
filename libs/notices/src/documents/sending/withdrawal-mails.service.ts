import { HolderLinks, isSameMailbox, type Mail } from '#tickets';
import { addDaysInZone, currency } from '#kernel';
import { withdrawalMessage, type MailMessage } from '#messages';
import { MembershipsService, type WholeMembership } from '#memberships';
import { currentTenant } from '#tenancy';
import { Injectable } from '@nestjs/common';
import { lineOf, referenceOf, refundsOf } from '../booking-facts.js';
import { MailSourcesService } from '../mail-sources.service.js';
import type { MailedReservation } from '../mailed-reservation.js';

/** Days to bring back what was handed out (article 14 of Directive 2011/83/EU). */
const daysToBringBack = 14;

/** Composes the receipts of withdrawals, from rows that the transaction of the withdrawal wrote: they have the time of the mail. */
@Injectable()
export class WithdrawalMailsService {
  constructor(
    private readonly memberships: MembershipsService,
    private readonly sources: MailSourcesService,
    private readonly links: HolderLinks,
  ) {}

  /** @returns undefined when its contract does not exist any more */
  async compose(mail: Mail, reservation: MailedReservation | undefined): Promise<MailMessage | undefined> {
    const membership = mail.membershipId === null ? undefined : await this.memberships.find(mail.membershipId);
    const sold = membership ?? reservation;
    if (!sold) return undefined;
    const { createdAt: at, recipient: email } = mail;
    const tenant = await this.sources.venue();
    const subject = membership ? { membershipId: sold.id } : { reservationId: sold.id };
    const payments = sold.payments.filter(({ kind, createdAt }) => kind === 'refund' && createdAt.getTime() === at.getTime());
    return withdrawalMessage({
      language: sold.language ?? currentTenant().language,
      tenant,
      name: mail.note ?? '',
      email,
      at,
      reference: referenceOf(sold.id),
      currency,
      refunds: refundsOf({ payments }),
      // The link opens the order, and the receipt goes to any address that was entered.
      holderUrl: isSameMailbox(email, sold.email) ? this.links.urlTo(subject, sold.linkVersion) : undefined,
      ...(reservation ? goodsOf(mail, reservation) : { contract: membership!.product.name, lines: [lineOfMembership(membership!)] }),
    });
  }
}

/** What was cancelled at the time of the mail is refunded by it; everything else is to be brought back, also when it is cancelled since. */
function goodsOf({ ticketIds, createdAt }: Mail, { event, tickets, cancelledAt: allAt }: MailedReservation) {
  const goods = tickets.filter(({ id }) => ticketIds?.includes(id));
  const isOut = goods.some(({ cancelledAt }) => (cancelledAt ?? allAt)?.getTime() !== createdAt.getTime());
  const bringBackBy = isOut ? addDaysInZone(createdAt, currentTenant().timeZone, daysToBringBack) : undefined;
  return { contract: event.name, lines: goods.map(lineOf), bringBackBy };
}

const lineOfMembership = ({ product, price, amount }: WholeMembership) => ({
  holder: '',
  product: product.name,
  price: price.name,
  amount,
});
