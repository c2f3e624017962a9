import { Injectable } from '@nestjs/common';
import { Jobs, TenantDb, type Tx } from '#tenancy';
import { closeCheckoutJob, refundJob } from '../reservations/reservation-jobs.js';
import type { OnlineProvider } from './online-provider.js';
import { Payment } from './payment.entity.js';
import { paymentStatesBefore, type PaymentStatus, type VenueMethod } from './payment-states.js';

/** What a payment is for. */
export type PaymentSubject = { readonly reservationId: string } | { readonly membershipId: string };

/** Payments of the current tenant, whichever way they are made. */
@Injectable()
export class Payments {
  constructor(
    private readonly db: TenantDb,
    private readonly jobs: Jobs,
  ) {}

  /** Money that changed hands at the venue, or the word that nobody asked for it. @returns the payment's id */
  async recordAtVenue(tx: Tx, subject: PaymentSubject, amount: string, method: VenueMethod): Promise<string> {
    const [row] = await tx.query<{ id: string }[]>(
      `insert into payment (reservation_id, membership_id, provider, method, status, amount, paid_at)
       values ($1, $2, 'venue', $3, 'paid', $4, now()) returning id`,
      [reservationOf(subject), membershipOf(subject), method, amount],
    );
    return (row as { id: string }).id;
  }

  /** A checkout is going to be opened. @returns the payment's id */
  async begin(tx: Tx, subject: PaymentSubject, amount: string, provider: OnlineProvider['name']): Promise<string> {
    const [row] = await tx.query<{ id: string }[]>(
      `insert into payment (reservation_id, membership_id, provider, method, amount) values ($1, $2, $4, 'online', $3) returning id`,
      [reservationOf(subject), membershipOf(subject), amount, provider],
    );
    return (row as { id: string }).id;
  }

  find(tx: Tx, id: string): Promise<Payment | null> {
    return tx.findOneBy(Payment, { id });
  }

  /** Keeps where a payment is made. Of one that was given up meanwhile the checkout is closed. */
  async opened(tx: Tx, id: string, reference: string, checkoutUrl: string): Promise<void> {
    const [rows] = await tx.query<[{ status: PaymentStatus }[], number]>(
      'update payment set reference = $2, checkout_url = $3 where id = $1 returning status',
      [id, reference, checkoutUrl],
    );
    if (rows[0]?.status === 'failed') await this.jobs.add(tx, closeCheckoutJob, id);
  }

  /** Writes down why money does not go back by itself: from then on it is to be given back by hand. */
  async troubled(tx: Tx, id: string, trouble: string): Promise<void> {
    await tx.query(`update payment set refund_trouble = $2 where id = $1 and status = 'refund_due'`, [id, trouble]);
  }

  /** Nobody shall pay any more what waits: its checkouts are closed. */
  async giveUpPending(tx: Tx, subjectId: string): Promise<void> {
    const [rows] = await tx.query<[{ id: string; reference: string | null }[], number]>(
      `update payment set status = 'failed' where (reservation_id = $1 or membership_id = $1) and status = 'pending' returning id, reference`,
      [subjectId],
    );
    for (const { id, reference } of rows) if (reference) await this.jobs.add(tx, closeCheckoutJob, id);
  }

  /** What was paid goes back: online by itself, at the venue by hand. @returns whether anything does */
  async refundPaid(tx: Tx, subjectId: string, note?: string): Promise<boolean> {
    const [rows] = await tx.query<[RefundRow[], number]>(
      `update payment set status = 'refund_due', note = coalesce($2, note) where (reservation_id = $1 or membership_id = $1)
         and status = 'paid' and method <> 'offered' and amount > 0 returning id, provider`,
      [subjectId, note ?? null],
    );
    for (const { id, provider } of rows) if (provider !== 'venue') await this.jobs.add(tx, refundJob, id);
    return rows.length > 0;
  }

  /**
   * A part of what was paid goes back in the same way: it is a payment of its own from then on.
   * @returns false when nothing was paid that holds so much
   */
  async refundPart(tx: Tx, subjectId: string, amount: string, note?: string): Promise<boolean> {
    const values = [subjectId, amount, note ?? null];
    const [exact] = await tx.query<[RefundRow[], number]>(
      `update payment set status = 'refund_due', note = coalesce($3, note) where id = (${paidSql('amount = $2')}) returning id, provider`,
      values,
    );
    const rows =
      exact.length > 0
        ? exact
        : await tx.query<RefundRow[]>(
            `with whole as (update payment set amount = amount - $2 where id = (${paidSql('amount > $2')}) returning *)
             insert into payment (reservation_id, membership_id, provider, method, status, amount, currency, provider_payment, note, paid_at)
             select reservation_id, membership_id, provider, method, 'refund_due', $2, currency, provider_payment, coalesce($3, note), paid_at from whole
             returning id, provider`,
            values,
          );
    for (const { id, provider } of rows) if (provider !== 'venue') await this.jobs.add(tx, refundJob, id);
    return rows.length > 0;
  }

  /** Somebody gave the money back by hand. @returns false when nothing was to be given back */
  refundedByHand(id: string): Promise<boolean> {
    return this.db.transaction((tx) => this.move(tx, id, 'refunded', { onlyFrom: ['refund_due'] }));
  }

  /** Brings a payment into another state, if its present one leads there. @returns whether it did */
  async move(
    tx: Tx,
    id: string,
    to: PaymentStatus,
    more: {
      readonly onlyFrom?: readonly PaymentStatus[];
      readonly providerPayment?: string;
      readonly refund?: string;
    } = {},
  ): Promise<boolean> {
    const [rows] = await tx.query<[unknown[], number]>(
      `update payment set status = $2, paid_at = case when $2 in ('paid', 'refund_due') then coalesce(paid_at, now()) else paid_at end,
         refunded_at = case when $2 = 'refunded' then now() end, provider_payment = coalesce($4, provider_payment),
         refund_reference = coalesce($5, refund_reference)
       where id = $1 and status = any($3) returning id`,
      [id, to, more.onlyFrom ?? paymentStatesBefore(to), more.providerPayment ?? null, more.refund ?? null],
    );
    return rows.length > 0;
  }
}

interface RefundRow {
  readonly id: string;
  readonly provider: string;
}

/** SQL of the last payment of the subject $1 that was made and fits. */
const paidSql = (fits: string): string => `select id from payment
  where (reservation_id = $1 or membership_id = $1) and status = 'paid' and method <> 'offered' and ${fits}
  order by created_at desc, id limit 1 for no key update`;

function reservationOf(subject: PaymentSubject): string | null {
  return 'reservationId' in subject ? subject.reservationId : null;
}

function membershipOf(subject: PaymentSubject): string | null {
  return 'membershipId' in subject ? subject.membershipId : null;
}
