import type { WholeMembership } from '#memberships';
import { isHold, type WholeReservation, soldVatRateSql, ticketVatSql, vatInSql } from '#tickets';
import type { Language } from '#kernel';
import type { ReceiptFacts, ReceiptItem } from '#messages';
import { ownLinesOf } from '#orders';
import { movedBy, Payment, paymentMethods, withoutCorrections } from '#payments';
import { TenantDb, type Tx } from '#tenancy';
import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { BookingFactsService } from '../booking-facts.service.js';

type Sold = WholeReservation | WholeMembership;
type Paid = Pick<Sold, 'payments'>;

const nothing = { items: [], payments: [] };

/** Receipts of what was paid for reservations and memberships. */
@Injectable()
export class ReceiptsService {
  constructor(
    private readonly db: TenantDb,
    private readonly facts: BookingFactsService,
  ) {}

  /** The content of the receipt. @returns undefined when there is none, see `hasReceipt` */
  async of(reservation: WholeReservation): Promise<ReceiptFacts | undefined> {
    const facts = hasReceipt(reservation) ? await this.facts.aboutBooking(reservation) : undefined;
    if (!facts) return undefined;
    return this.receipt(facts, reservation, await this.itemsOf(reservation.id));
  }

  /** Like `of`, for a membership. */
  async ofMembership(membership: WholeMembership): Promise<ReceiptFacts | undefined> {
    if (!hasReceipt(membership)) return undefined;
    const facts = await this.facts.cardOf(membership);
    return this.receipt(facts, membership, await this.itemOf(membership.id));
  }

  private async receipt<Facts extends { readonly language: Language }>(
    facts: Facts,
    sold: Sold,
    items: readonly ReceiptItem[],
  ): Promise<Facts & Pick<ReceiptFacts, 'items' | 'payments'>> {
    const own = sold.cartId === null ? nothing : await this.ofOrder(sold.cartId, sold.id);
    const payments = [...sold.payments, ...own.payments];
    return { ...facts, items: [...items, ...own.items], payments: paymentLines({ payments }, facts.language) };
  }

  /** What an order itself sells, such as a donation. It is on the receipt of the first part of the order that is not cancelled. */
  private ofOrder(orderId: string, partId: string): Promise<{ items: ReceiptItem[]; payments: Payment[] }> {
    return this.db.transaction(async (tx) => {
      const paid = (await ownLinesOf(tx, orderId)).filter(({ isPaid }) => isPaid);
      const items = paid.map(({ name, unitAmount, pieces, vatRate, vatAmount }) => ({
        what: name,
        amount: unitAmount,
        quantity: pieces,
        vatRate,
        vat: vatAmount,
      }));
      if (items.length === 0 || !(await isFirstPart(tx, orderId, partId))) return nothing;
      const payments = await tx.find(Payment, {
        where: { orderId, reservationId: IsNull(), membershipId: IsNull() },
        order: { createdAt: 'ASC' },
      });
      return { items, payments };
    });
  }

  /** The tickets that are not cancelled, by price and amount. */
  private itemsOf(reservationId: string): Promise<ReceiptItem[]> {
    const rate = soldVatRateSql('ticket');
    return this.db.transaction((tx) =>
      tx.query<ReceiptItem[]>(
        `select case when product.name = price.name then price.name else product.name || ' · ' || price.name end as what, ticket.amount,
           count(*)::int as quantity, ${rate}::text as "vatRate", sum(${ticketVatSql})::text as vat
         from ticket join price on price.id = ticket.price_id join product on product.id = price.product_id
         where ticket.reservation_id = $1 and ticket.status <> 'R'
         group by product.name, price.name, ticket.amount, ${rate} order by min(ticket.position), 1, 2`,
        [reservationId],
      ),
    );
  }

  private itemOf(membershipId: string): Promise<ReceiptItem[]> {
    const rate = soldVatRateSql('membership');
    return this.db.transaction((tx) =>
      tx.query<ReceiptItem[]>(
        `select product.name || ' · ' || price.name as what, membership.amount, 1 as quantity, ${rate}::text as "vatRate",
           ${vatInSql('membership.amount', rate)}::text as vat
         from membership join price on price.id = membership.price_id join product on product.id = price.product_id
         where membership.id = $1`,
        [membershipId],
      ),
    );
  }
}

/** Whether a reservation or membership is the first part of its order that is not cancelled. */
async function isFirstPart(tx: Tx, orderId: string, partId: string): Promise<boolean> {
  const [first] = await tx.query<{ id: string }[]>(
    `select part.id from (select id, created_at from reservation where cart_id = $1 and status <> 'C'
       union all select id, created_at from membership where cart_id = $1 and status <> 'cancelled') part
     order by part.created_at, part.id limit 1`,
    [orderId],
  );
  return first?.id === partId;
}

/** Whether there is a receipt: the reservation is confirmed or the membership active, and something was paid for it. */
export function hasReceipt(sold: WholeReservation | WholeMembership): boolean {
  const isConfirmed = 'tickets' in sold ? sold.status !== 'C' && !isHold(sold.status) : sold.status === 'active';
  return isConfirmed && paidAndRefunded(sold).some(({ kind }) => kind === 'payment');
}

function paymentLines(sold: Paid, language: Language): ReceiptFacts['payments'] {
  return paidAndRefunded(sold).map((payment) => {
    const { kind, amount, paidAt, createdAt, refundedAt } = payment;
    const at = kind === 'refund' ? refundedAt : (paidAt ?? createdAt);
    return { kind, method: paymentMethods[movedBy(payment)][language], amount, at };
  });
}

function paidAndRefunded({ payments }: Paid): Paid['payments'] {
  return withoutCorrections(payments).filter(({ kind, status, method }) =>
    kind === 'payment' ? status === 'paid' && method !== 'offered' : status === 'refunded' || status === 'refund_due',
  );
}
