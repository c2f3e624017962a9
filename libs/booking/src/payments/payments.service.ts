import { Injectable } from '@nestjs/common';
import { Jobs, TenantDb, type Tx } from '#tenancy';
import { closeCheckoutJob, refundJob } from '../reservations/reservation-jobs.js';
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
  async begin(tx: Tx, subject: PaymentSubject, amount: string): Promise<string> {
    const [row] = await tx.query<{ id: string }[]>(
      `insert into payment (reservation_id, membership_id, provider, method, amount) values ($1, $2, 'stripe', 'online', $3) returning id`,
      [reservationOf(subject), membershipOf(subject), amount],
    );
    return (row as { id: string }).id;
  }

  find(tx: Tx, id: string): Promise<Payment | null> {
    return tx.findOneBy(Payment, { id });
  }

  /** Keeps where a payment is made. */
  async opened(tx: Tx, id: string, reference: string, checkoutUrl: string): Promise<void> {
    await tx.update(Payment, { id }, { reference, checkoutUrl });
  }

  /** Writes beside a payment what staff should know of it. */
  async annotate(tx: Tx, id: string, note: string): Promise<void> {
    await tx.update(Payment, { id }, { note });
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
    const [rows] = await tx.query<[{ id: string; provider: string }[], number]>(
      `update payment set status = 'refund_due', note = coalesce($2, note) where (reservation_id = $1 or membership_id = $1)
         and status = 'paid' and method <> 'offered' and amount > 0 returning id, provider`,
      [subjectId, note ?? null],
    );
    for (const { id, provider } of rows) if (provider === 'stripe') await this.jobs.add(tx, refundJob, id);
    return rows.length > 0;
  }

  /** Somebody gave the money back by hand. @returns false when nothing was to be given back */
  refundedByHand(id: string): Promise<boolean> {
    return this.db.transaction((tx) => this.move(tx, id, 'refunded', { onlyFrom: 'refund_due' }));
  }

  /** Brings a payment into another state, if its present one leads there. @returns whether it did */
  async move(
    tx: Tx,
    id: string,
    to: PaymentStatus,
    more: { readonly onlyFrom?: PaymentStatus; readonly providerPayment?: string; readonly refund?: string } = {},
  ): Promise<boolean> {
    const [rows] = await tx.query<[unknown[], number]>(
      `update payment set status = $2, paid_at = case when $2 in ('paid', 'refund_due') then coalesce(paid_at, now()) else paid_at end,
         refunded_at = case when $2 = 'refunded' then now() end, provider_payment = coalesce($4, provider_payment),
         refund_reference = coalesce($5, refund_reference)
       where id = $1 and status = any($3) returning id`,
      [
        id,
        to,
        more.onlyFrom ? [more.onlyFrom] : paymentStatesBefore(to),
        more.providerPayment ?? null,
        more.refund ?? null,
      ],
    );
    return rows.length > 0;
  }
}

function reservationOf(subject: PaymentSubject): string | null {
  return 'reservationId' in subject ? subject.reservationId : null;
}

function membershipOf(subject: PaymentSubject): string | null {
  return 'membershipId' in subject ? subject.membershipId : null;
}
