import { Injectable } from '@nestjs/common';
import { retryOnDeadlock, toCents } from '#kernel';
import { TenantDb, type Tx } from '#tenancy';
import type { OnlineProvider } from './online-provider.js';
import { PaymentSubjects, SubjectUnavailable, type LockedSubject } from '../ledger/payment-subjects.js';
import type { Payment } from '../ledger/payment.entity.js';
import { PaymentsService } from '../ledger/payments.service.js';
import type { CheckoutSession, ProviderEvent } from './provider-event.js';
import { RefundsService } from '../ledger/refunds.service.js';

/**
 * Applies the events of the payment provider, each once, even when they are delivered repeatedly, concurrently or in another order. Refunds
 * payments whose subject can no longer be sold.
 */
@Injectable()
export class ProviderEventHandlerService {
  constructor(
    private readonly db: TenantDb,
    private readonly payments: PaymentsService,
    private readonly subjects: PaymentSubjects,
    private readonly refunds: RefundsService,
  ) {}

  /** Applies an event of a provider. A repeated event has no effect. */
  async apply(provider: OnlineProvider['name'], event: ProviderEvent): Promise<void> {
    try {
      await this.once(provider, event, (tx, payment) => this.change(tx, event, payment, true));
    } catch (error) {
      if (!(error instanceof SubjectUnavailable)) throw error;
      // The first attempt was rolled back; this one refunds the payment.
      await this.once(provider, event, (tx, payment) => this.change(tx, event, payment, false));
    }
  }

  /** Runs `work` in the transaction that stores the event. A concurrent delivery of the same event waits and does nothing. */
  private once(provider: OnlineProvider['name'], event: ProviderEvent, work: (tx: Tx, payment: Payment) => Promise<void>): Promise<void> {
    const { id, type } = event;
    const paymentId = (event.session ?? event.refund ?? event.failedRefund)?.paymentId ?? null;
    const apply = async (tx: Tx): Promise<void> => {
      const fresh = await tx.query<unknown[]>(
        `insert into payment_event (provider, id, type, payment_id) values ($4, $1, $2, $3) on conflict do nothing returning id`,
        [id, type, paymentId, provider],
      );
      if (fresh.length === 0 || paymentId === null) return;
      const payment = await this.payments.find(tx, paymentId);
      if (payment?.provider === provider) await work(tx, payment);
    };
    return this.subjects.attempt(() => retryOnDeadlock(() => this.db.transaction(apply)));
  }

  private async change(tx: Tx, event: ProviderEvent, payment: Payment, inTime: boolean): Promise<void> {
    const { session, refund, failedRefund } = event;
    // A refund made elsewhere does not cancel the subject; staff decide about that.
    if (refund) return this.refunds.reportedByProvider(tx, payment.id, refund.refunded, refund.whole);
    if (failedRefund) return this.refunds.sentBack(tx, failedRefund.reference, `The bank sent it back (${failedRefund.reason}).`);
    if (!session) return;
    if (session.paid) return this.paid(tx, payment, session, inTime);
    const isOver = session.status === 'expired' || event.type === 'checkout.session.async_payment_failed';
    if (isOver) return this.notPaid(tx, payment, session.status === 'expired');
    if (session.status === 'complete') await this.underWay(tx, payment, session, inTime);
  }

  private async paid(tx: Tx, payment: Payment, session: CheckoutSession, inTime: boolean): Promise<void> {
    const wholeSum = session.currency === payment.currency && toCents(session.amount ?? '0') >= toCents(payment.amount);
    const { paymentIntent } = session;
    const marks = paymentIntent === null ? {} : { providerPayment: paymentIntent };
    const subject = await this.lock(tx, payment);
    if (!(await this.payments.move(tx, payment.id, 'paid', marks))) return;
    if (subject?.isAwaitingPayment && wholeSum && inTime) return subject.paid();
    await this.refunds.refundLate(tx, payment.id);
    await subject?.paymentRefunded();
  }

  /**
   * The checkout is complete but not paid, for example with a bank debit, which takes days. Extends the hold. When it is sold out already,
   * the payment is refunded on arrival.
   */
  private async underWay(tx: Tx, payment: Payment, { paymentIntent }: CheckoutSession, inTime: boolean): Promise<void> {
    const subject = await this.lock(tx, payment);
    const marks = { onlyFrom: ['pending'] as const, ...(paymentIntent !== null && { providerPayment: paymentIntent }) };
    if (!(await this.payments.move(tx, payment.id, 'processing', marks)) || !inTime) return;
    await subject?.keepForBank();
  }

  /** The checkout expired, or the bank refused the payment. */
  private async notPaid(tx: Tx, payment: Payment, closed: boolean): Promise<void> {
    const subject = await this.lock(tx, payment);
    if (!(await this.payments.move(tx, payment.id, 'failed'))) return;
    await subject?.notPaid(closed ? 'expired' : 'payment_failed');
  }

  private lock(tx: Tx, { reservationId, membershipId }: Payment): Promise<LockedSubject | undefined> {
    return this.subjects.lock(tx, reservationId === null ? { membershipId: membershipId as string } : { reservationId });
  }
}
