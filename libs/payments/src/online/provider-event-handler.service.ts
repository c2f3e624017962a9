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
 * What the payment provider tells, applied once each: however often, in whatever order and at how many places at once it comes. Money that
 * finds no place goes back.
 */
@Injectable()
export class ProviderEventHandlerService {
  constructor(
    private readonly db: TenantDb,
    private readonly payments: PaymentsService,
    private readonly subjects: PaymentSubjects,
    private readonly refunds: RefundsService,
  ) {}

  async apply(provider: OnlineProvider['name'], event: ProviderEvent): Promise<void> {
    try {
      await this.once(provider, event, (tx, payment) => this.change(tx, event, payment, true));
    } catch (error) {
      if (!(error instanceof SubjectUnavailable)) throw error;
      // Nothing of the first try stands: this time the money goes back.
      await this.once(provider, event, (tx, payment) => this.change(tx, event, payment, false));
    }
  }

  /** Does the work in the transaction that remembers the event; another delivery of it waits, and finds it done. */
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
    // What was paid for stays as it is: that is for the staff to decide.
    if (refund) return this.refunds.toldByProvider(tx, payment.id, refund.refunded, refund.whole);
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
    // Told a second time, under whatever name, it is the same money.
    const marks = paymentIntent === null ? {} : { providerPayment: paymentIntent };
    const subject = await this.lock(tx, payment);
    if (!(await this.payments.move(tx, payment.id, 'paid', marks))) return;
    if (subject?.isAwaitingPayment && wholeSum && inTime) return subject.paid();
    await this.refunds.refundLate(tx, payment.id);
    await subject?.paidInVain();
  }

  /**
   * The buyer chose a bank debit, say: the order is given, and the money comes within days. What is bought is kept until then; where it is
   * gone already, the money goes back when it comes.
   */
  private async underWay(tx: Tx, payment: Payment, { paymentIntent }: CheckoutSession, inTime: boolean): Promise<void> {
    const subject = await this.lock(tx, payment);
    const marks = { onlyFrom: ['pending'] as const, ...(paymentIntent !== null && { providerPayment: paymentIntent }) };
    if (!(await this.payments.move(tx, payment.id, 'processing', marks)) || !inTime) return;
    await subject?.keepForBank();
  }

  /** The checkout closed, or the bank refused: nothing is kept for it any longer than it would be anyway. */
  private async notPaid(tx: Tx, payment: Payment, closed: boolean): Promise<void> {
    const subject = await this.lock(tx, payment);
    if (!(await this.payments.move(tx, payment.id, 'failed'))) return;
    await subject?.notPaid(closed ? 'expired' : 'payment_failed');
  }

  private lock(tx: Tx, { reservationId, membershipId }: Payment): Promise<LockedSubject | undefined> {
    return this.subjects.lock(tx, reservationId === null ? { membershipId: membershipId as string } : { reservationId });
  }
}
