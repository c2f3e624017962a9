import { Injectable } from '@nestjs/common';
import { retryOnDeadlock, sumOf, toCents } from '#kernel';
import { TenantDb, type Tx } from '#tenancy';
import { PaymentAccountsService } from '../accounts/payment-accounts.service.js';
import type { OnlineProvider } from './online-provider.js';
import { PaymentSubjects, SubjectUnavailable, type LockedSubject } from '../ledger/payment-subjects.js';
import type { Payment } from '../ledger/payment.entity.js';
import { PaymentsService } from '../ledger/payments.service.js';
import type { CheckoutSession, ProviderEvent } from './provider-event.js';
import { RefundsService } from '../ledger/refunds.service.js';

/**
 * Applies the events of the payment provider, each once, even when they are delivered repeatedly, concurrently or in another order. A
 * checkout is paid as a whole: when one of its subjects can no longer be sold, all of them are refunded.
 */
@Injectable()
export class ProviderEventHandlerService {
  constructor(
    private readonly db: TenantDb,
    private readonly payments: PaymentsService,
    private readonly subjects: PaymentSubjects,
    private readonly refunds: RefundsService,
    private readonly accounts: PaymentAccountsService,
  ) {}

  /** Applies an event of a provider. A repeated event has no effect. */
  async apply(provider: OnlineProvider['name'], event: ProviderEvent): Promise<void> {
    try {
      await this.once(provider, event, (tx, payments) => this.change(tx, event, payments));
    } catch (error) {
      if (!(error instanceof SubjectUnavailable)) throw error;
      // The first attempt was rolled back; this one refunds the payment.
      await this.once(provider, event, (tx, payments) => this.change(tx, event, payments, error));
    }
  }

  /** Runs `work` in the transaction that stores the event. A concurrent delivery of the same event waits and does nothing. */
  private once(
    provider: OnlineProvider['name'],
    event: ProviderEvent,
    work: (tx: Tx, payments: readonly Payment[]) => Promise<void>,
  ): Promise<void> {
    const { id, type } = event;
    const paymentId = (event.session ?? event.refund ?? event.failedRefund)?.paymentId ?? null;
    const apply = async (tx: Tx): Promise<void> => {
      const fresh = await tx.query<unknown[]>(
        `insert into payment_event (provider, id, type, payment_id) values ($4, $1, $2, $3) on conflict do nothing returning id`,
        [id, type, paymentId, provider],
      );
      if (fresh.length === 0 || paymentId === null) return;
      const payments = await this.payments.ofCheckout(tx, paymentId);
      if (payments.some((payment) => payment.provider === provider)) await work(tx, payments);
    };
    return this.subjects.attempt(() => retryOnDeadlock(() => this.db.transaction(apply)));
  }

  private async change(tx: Tx, event: ProviderEvent, payments: readonly Payment[], refusal?: SubjectUnavailable): Promise<void> {
    const { session, refund, failedRefund } = event;
    // A refund made elsewhere does not cancel the subject; staff decide about that.
    if (refund) return this.refunds.reportedByProvider(tx, refund.paymentId, refund.refunded, refund.whole);
    if (failedRefund) return this.refunds.sentBack(tx, failedRefund.reference, `The bank sent it back (${failedRefund.reason}).`);
    if (!session) return;
    if (session.paid) return this.paid(tx, payments, session, refusal);
    const isOver = session.status === 'expired' || event.type === 'checkout.session.async_payment_failed';
    if (isOver) return this.notPaid(tx, payments, session.status === 'expired');
    if (session.status === 'complete') await this.underWay(tx, payments, session, refusal);
  }

  private async paid(
    tx: Tx,
    payments: readonly Payment[],
    session: CheckoutSession,
    refusal: SubjectUnavailable | undefined,
  ): Promise<void> {
    const { paymentIntent, currency, amount } = session;
    const wholeSum = payments.every((payment) => payment.currency === currency) && toCents(amount ?? '0') >= toCents(sumOf(payments));
    const marks = paymentIntent === null ? {} : { providerPayment: paymentIntent };
    const locked = await this.lock(tx, payments);
    const moved = await this.payments.move(tx, idsOf(payments), 'paid', marks);
    const isSold = wholeSum && !refusal && locked.every(({ subject }) => subject?.isAwaitingPayment || subject?.isConfirmed);
    for (const { id, subject } of locked.filter((one) => moved.includes(one.id))) {
      if (isSold && subject?.isAwaitingPayment) {
        await subject.paid();
      } else {
        await this.refunds.refundLate(tx, id);
        await subject?.paymentRefunded(refusal);
      }
    }
  }

  /**
   * The checkout is complete but not paid, for example with a bank debit, which takes days. Extends the holds where the venue accepts that:
   * otherwise they end like others. When something is sold out by then, everything is refunded on arrival.
   */
  private async underWay(
    tx: Tx,
    payments: readonly Payment[],
    { paymentIntent }: CheckoutSession,
    refusal: SubjectUnavailable | undefined,
  ): Promise<void> {
    const locked = await this.lock(tx, payments);
    const marks = { onlyFrom: ['pending'] as const, ...(paymentIntent !== null && { providerPayment: paymentIntent }) };
    const moved = await this.payments.move(tx, idsOf(payments), 'processing', marks);
    if (refusal || !(await this.accounts.keepsDelayed(tx))) return;
    for (const { id, subject } of locked) if (moved.includes(id)) await subject?.keepForBank();
  }

  /** The checkout expired, or the bank refused the payment. */
  private async notPaid(tx: Tx, payments: readonly Payment[], closed: boolean): Promise<void> {
    const locked = await this.lock(tx, payments);
    const moved = await this.payments.move(tx, idsOf(payments), 'failed');
    for (const { id, subject } of locked) if (moved.includes(id)) await subject?.notPaid(closed ? 'expired' : 'payment_failed');
  }

  /**
   * Locks the subjects of a checkout.
   * @returns memberships first, because the prices of other subjects may require them
   */
  private async lock(tx: Tx, unordered: readonly Payment[]): Promise<{ id: string; subject: LockedSubject | undefined }[]> {
    const payments = unordered.toSorted((one, other) => Number(one.membershipId === null) - Number(other.membershipId === null));
    const subjects = payments.map(({ reservationId, membershipId }) =>
      reservationId === null ? { membershipId: membershipId as string } : { reservationId },
    );
    const locked = await this.subjects.lock(tx, subjects);
    return payments.map(({ id }, index) => ({ id, subject: locked[index] }));
  }
}

const idsOf = (payments: readonly Payment[]): string[] => payments.map(({ id }) => id);
