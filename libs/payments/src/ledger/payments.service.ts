import { In, IsNull, type QueryDeepPartialEntity } from 'typeorm';
import { Injectable } from '@nestjs/common';
import { JobsService } from '#jobs';
import { type Tx } from '#tenancy';
import { actorColumns } from '#kernel';
import { closeCheckoutJob } from './payment-jobs.js';
import { Payment } from './payment.entity.js';
import { paymentStatesBefore, type OnlineProviderName, type PaymentStatus, type VenueMethod } from './payment-states.js';
import { PaymentSubjects, type PaymentSubject } from './payment-subjects.js';

/** Payments of the current tenant, at the venue and online. `RefundsService` writes the refunds. */
@Injectable()
export class PaymentsService {
  constructor(
    private readonly jobs: JobsService,
    private readonly subjects: PaymentSubjects,
  ) {}

  /**
   * Records a payment at the venue; method `offered` records that none was required.
   * @param amount decimal text
   * @returns the payment's id
   */
  async recordAtVenue(tx: Tx, subject: PaymentSubject, amount: string, method: VenueMethod): Promise<string> {
    return insert(tx, { ...subject, provider: 'venue', method, status: 'paid', amount, paidAt: () => 'now()' });
  }

  /**
   * Records a pending payment for the current amount, before its checkout is opened. While it is pending, single tickets cannot be
   * cancelled. Returns the existing payment if one with this amount is already pending.
   * @returns undefined when no payment is due; `isOpen`: the checkout is already open
   */
  async begin(
    tx: Tx,
    subject: PaymentSubject,
    provider: OnlineProviderName,
  ): Promise<{ paymentId: string; amount: string; isOpen: boolean } | undefined> {
    // Locks the subject first: waits for running cancellations of tickets; later ones find this payment.
    const amount = await this.subjects.amountDue(tx, subject);
    if (amount === undefined) return undefined;
    const begun = await tx.findOne(Payment, {
      select: { id: true, reference: true },
      where: { ...subject, kind: 'payment', status: 'pending', provider, amount },
      order: { createdAt: 'ASC', id: 'ASC' },
    });
    if (begun) return { paymentId: begun.id, amount, isOpen: begun.reference !== null };
    return { paymentId: await insert(tx, { ...subject, provider, method: 'online', amount }), amount, isOpen: false };
  }

  /** Whether a reservation has a payment that is pending or processed by a bank. */
  isUnderWay(tx: Tx, reservationId: string): Promise<boolean> {
    return tx.existsBy(Payment, { reservationId, status: In(['pending', 'processing']) });
  }

  /** @returns null when there is no such payment */
  find(tx: Tx, id: string): Promise<Payment | null> {
    return tx.findOneBy(Payment, { id });
  }

  /** Stores the checkout of a payment. If the payment was given up meanwhile, schedules closing the checkout. */
  async opened(tx: Tx, id: string, reference: string, checkoutUrl: string): Promise<void> {
    const [rows] = await tx.query<[{ status: PaymentStatus }[], number]>(
      'update payment set reference = $2, checkout_url = $3 where id = $1 returning status',
      [id, reference, checkoutUrl],
    );
    if (rows[0]?.status === 'failed') await this.jobs.add(tx, closeCheckoutJob, id);
  }

  /** Marks a payment as failed whose checkout the provider failed to open; the next attempt is a new payment. */
  async notOpened(tx: Tx, id: string): Promise<void> {
    await tx.update(Payment, { id, status: 'pending', reference: IsNull() }, { status: 'failed' });
  }

  /** Marks the pending payments of a reservation or membership as failed and schedules closing their checkouts. */
  async giveUpPending(tx: Tx, subjectId: string): Promise<void> {
    const [rows] = await tx.query<[{ id: string; reference: string | null }[], number]>(
      `update payment set status = 'failed' where (reservation_id = $1 or membership_id = $1) and status = 'pending'
       returning id, reference`,
      [subjectId],
    );
    for (const { id, reference } of rows) if (reference) await this.jobs.add(tx, closeCheckoutJob, id);
  }

  /**
   * Changes the state of a payment with a conditional update.
   * @param more.onlyFrom allowed current states; default: those in `paymentTransitions`
   * @returns false when the current state does not allow the transition
   */
  async move(
    tx: Tx,
    id: string,
    to: 'processing' | 'paid' | 'failed',
    more: { readonly onlyFrom?: readonly PaymentStatus[]; readonly providerPayment?: string } = {},
  ): Promise<boolean> {
    const [rows] = await tx.query<[unknown[], number]>(
      `update payment set status = $2, paid_at = coalesce(paid_at, case when $2 = 'paid' then (select now()) end),
         provider_payment = coalesce(provider_payment, $4)
       where id = $1 and kind = 'payment' and status = any($3) returning id`,
      [id, to, more.onlyFrom ?? paymentStatesBefore(to), more.providerPayment ?? null],
    );
    return rows.length > 0;
  }
}

/** Inserts a payment of the acting person. @returns its id */
async function insert(tx: Tx, payment: QueryDeepPartialEntity<Payment>): Promise<string> {
  const [byUserId, byKeyId] = actorColumns();
  const { identifiers } = await tx.insert(Payment, { ...payment, byUserId, byKeyId });
  return (identifiers[0] as { id: string }).id;
}
