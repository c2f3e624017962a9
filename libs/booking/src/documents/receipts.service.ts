import { vatRateSql } from '#catalogue';
import type { ReceiptFacts, ReceiptItem } from '#messages';
import { paymentMethods } from '#payments';
import { TenantDb } from '#tenancy';
import { Injectable } from '@nestjs/common';
import { isHold } from '../entities/reservation-states.js';
import type { WholeReservation } from '../reservations/whole-reservation.js';
import { MailSenderService } from './mail-sender.service.js';

/** Receipts of what was paid for reservations. */
@Injectable()
export class ReceiptsService {
  constructor(
    private readonly db: TenantDb,
    private readonly facts: MailSenderService,
  ) {}

  /** The content of the receipt. @returns undefined when there is none, see `hasReceipt` */
  async of(reservation: WholeReservation): Promise<ReceiptFacts | undefined> {
    const facts = hasReceipt(reservation) ? await this.facts.aboutBooking(reservation) : undefined;
    if (!facts) return undefined;
    const { language } = facts;
    const payments = paidAndRefunded(reservation).map(({ kind, method, amount, paidAt, createdAt }) => {
      return { kind, method: paymentMethods[method][language], amount, at: paidAt ?? createdAt };
    });
    return { ...facts, items: await this.itemsOf(reservation.id), payments };
  }

  /** The tickets that are not cancelled, by price and amount; VAT is rounded for each ticket, as in the exports of sales. */
  private itemsOf(reservationId: string): Promise<ReceiptItem[]> {
    const rate = `coalesce(ticket.vat_rate, ${vatRateSql('price.vat')})`;
    return this.db.transaction((tx) =>
      tx.query<ReceiptItem[]>(
        `select case when product.name = price.name then price.name else product.name || ' · ' || price.name end as what, ticket.amount,
           count(*)::int as quantity, ${rate}::text as "vatRate", sum(round(ticket.amount * ${rate} / (100 + ${rate}), 2))::text as vat
         from ticket join price on price.id = ticket.price_id join product on product.id = price.product_id
         where ticket.reservation_id = $1 and ticket.status <> 'R'
         group by product.name, price.name, ticket.amount, ${rate} order by min(ticket.position), 1, 2`,
        [reservationId],
      ),
    );
  }
}

/** Whether a reservation has a receipt: it is confirmed, and something was paid for it. */
export function hasReceipt(reservation: WholeReservation): boolean {
  if (reservation.status === 'C' || isHold(reservation.status)) return false;
  return paidAndRefunded(reservation).some(({ kind }) => kind === 'payment');
}

function paidAndRefunded({ payments }: WholeReservation): WholeReservation['payments'] {
  return payments.filter(({ kind, status, method }) =>
    kind === 'payment' ? status === 'paid' && method !== 'offered' : status === 'refunded' || status === 'refund_due',
  );
}
