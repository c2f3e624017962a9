import { In, IsNull, type QueryDeepPartialEntity } from 'typeorm';
import { Injectable } from '@nestjs/common';
import { JobsService } from '#jobs';
import { type Tx } from '#tenancy';
import { actorColumns } from '#kernel';
import { closeCheckoutJob } from './payment-jobs.js';
import { Payment } from './payment.entity.js';
import { paymentStatesBefore, type OnlineProviderName, type PaymentStatus, type VenueMethod } from './payment-states.js';
import { PaymentSubjects, type PaymentSubject } from './payment-subjects.js';

/** Payments of the current tenant, whichever way they are made. What goes back is written by `RefundsService`. */
@Injectable()
export class PaymentsService {
  constructor(
    private readonly jobs: JobsService,
    private readonly subjects: PaymentSubjects,
  ) {}

  /** Money that changed hands at the venue, or the word that nobody asked for it. @returns the payment's id */
  async recordAtVenue(tx: Tx, subject: PaymentSubject, amount: string, method: VenueMethod): Promise<string> {
    return insert(tx, { ...subject, provider: 'venue', method, status: 'paid', amount, paidAt: () => 'now()' });
  }

  /**
   * A checkout is going to be opened, for what the reservation or membership costs now. Until it is over, no ticket of it is cancelled
   * alone.
   * One that was begun before and is not over is gone on with: there is never a second one.
   * @returns undefined when nothing is to be paid any more; `isOpen`: the provider has opened it already
   */
  async begin(
    tx: Tx,
    subject: PaymentSubject,
    provider: OnlineProviderName,
  ): Promise<{ paymentId: string; amount: string; isOpen: boolean } | undefined> {
    // Locked first: a ticket that is being cancelled is waited for, and one that is cancelled later finds this payment.
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

  /** Whether somebody is at a checkout, or is being sent to one, or a bank transfers the money. */
  isUnderWay(tx: Tx, reservationId: string): Promise<boolean> {
    return tx.existsBy(Payment, { reservationId, status: In(['pending', 'processing']) });
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

  /** A checkout that the provider failed to open: another attempt is another payment. */
  async notOpened(tx: Tx, id: string): Promise<void> {
    await tx.update(Payment, { id, status: 'pending', reference: IsNull() }, { status: 'failed' });
  }

  /** Nobody shall pay any more what waits: its checkouts are closed. */
  async giveUpPending(tx: Tx, subjectId: string): Promise<void> {
    const [rows] = await tx.query<[{ id: string; reference: string | null }[], number]>(
      `update payment set status = 'failed' where (reservation_id = $1 or membership_id = $1) and status = 'pending' returning id, reference`,
      [subjectId],
    );
    for (const { id, reference } of rows) if (reference) await this.jobs.add(tx, closeCheckoutJob, id);
  }

  /**
   * Brings a payment into another state, if its present one leads there.
   * @param onlyFrom states to come from; default: all that lead there
   * @returns whether it did
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
