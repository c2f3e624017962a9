import { Injectable } from '@nestjs/common';
import { retryOnDeadlock, sumOf, toCents } from '#kernel';
import type { OrderPart } from '#orders';
import { TenantDb, type Tx } from '#tenancy';
import { PaymentSubjects, SubjectUnavailable, type LockedSubject } from '../ledger/payment-subjects.js';
import { GiftCardPaymentsService } from '../ledger/gift-card-payments.service.js';
import type { Payment } from '../ledger/payment.entity.js';
import { PaymentsService } from '../ledger/payments.service.js';
import type { CheckoutUnderWay, PaidCheckout, ProviderEvent } from '../providers/provider-event.js';
import type { ReaderFault } from '../providers/card-readers.js';
import { RefundsService } from '../ledger/refunds.service.js';

/**
 * Applies the events of payment providers, each once, even when they are delivered repeatedly, concurrently or in another order. A
 * checkout is paid as a whole: when one of its subjects can no longer be sold, all of them are refunded.
 */
@Injectable()
export class ProviderEventHandlerService {
  constructor(
    private readonly db: TenantDb,
    private readonly payments: PaymentsService,
    private readonly subjects: PaymentSubjects,
    private readonly refunds: RefundsService,
    private readonly cards: GiftCardPaymentsService,
  ) {}

  /** Applies an event of a provider. A repeated event has no effect. @param provider its name */
  async apply(provider: string, event: ProviderEvent): Promise<void> {
    try {
      await this.once(provider, event, (tx, payments) => this.change(tx, event.change, payments));
    } catch (error) {
      if (!(error instanceof SubjectUnavailable)) throw error;
      // The first attempt was rolled back; this one refunds the payment.
      await this.once(provider, event, (tx, payments) => this.change(tx, event.change, payments, error));
    }
  }

  /** Runs `work` in the transaction that stores the event. A concurrent delivery of the same event waits and does nothing. */
  private once(
    provider: string,
    { id, change }: ProviderEvent,
    work: (tx: Tx, payments: readonly Payment[]) => Promise<void>,
  ): Promise<void> {
    const { type, paymentId } = change ?? { type: 'other', paymentId: null };
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

  private async change(tx: Tx, change: ProviderEvent['change'], payments: readonly Payment[], refusal?: SubjectUnavailable): Promise<void> {
    switch (change?.type) {
      case 'paid':
        return this.paid(tx, payments, change, refusal);
      case 'under_way':
        return this.underWay(tx, payments, change, refusal);
      case 'closed':
        return this.notPaid(tx, payments, 'expired', change.fault);
      case 'refused':
        return this.notPaid(tx, payments, 'payment_failed', change.fault);
      case 'refunded':
        // A refund made elsewhere does not cancel the subject; staff decide about that.
        return this.refunds.reportedByProvider(tx, change.paymentId, change.refunded, change.whole);
      case 'refund_failed':
        return this.refunds.sentBack(tx, change.reference, `The bank sent it back (${change.reason}).`);
      case undefined:
    }
  }

  private async paid(
    tx: Tx,
    payments: readonly Payment[],
    { providerPayment, currency, amount }: PaidCheckout,
    refusal: SubjectUnavailable | undefined,
  ): Promise<void> {
    const wholeSum = payments.every((payment) => payment.currency === currency) && toCents(amount ?? '0') >= toCents(sumOf(payments));
    const marks = providerPayment === null ? {} : { providerPayment };
    const locked = await this.lock(tx, payments);
    const moved = await this.payments.move(tx, idsOf(payments), 'paid', marks);
    const isSold = wholeSum && !refusal && locked.every(({ subject }) => subject?.isAwaitingPayment || subject?.isConfirmed);
    const sold = locked.filter(({ id, subject }) => isSold && subject?.isAwaitingPayment && moved.includes(id));
    for (const { part } of sold) await this.cards.settleWith(tx, checkoutOf(payments), part);
    await this.cards.releaseWith(tx, checkoutOf(payments));
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
   * The buyer chose for example a bank debit, which takes days. Extends the holds where the account accepts that:
   * otherwise they end like others. When something is sold out by then, everything is refunded on arrival.
   */
  private async underWay(
    tx: Tx,
    payments: readonly Payment[],
    { providerPayment, keepsPlaces }: CheckoutUnderWay,
    refusal: SubjectUnavailable | undefined,
  ): Promise<void> {
    const locked = await this.lock(tx, payments);
    const marks = { onlyFrom: ['pending'] as const, ...(providerPayment !== null && { providerPayment }) };
    const moved = await this.payments.move(tx, idsOf(payments), 'processing', marks);
    if (refusal || !keepsPlaces) return;
    for (const { id, subject } of locked) if (moved.includes(id)) await subject?.keepForBank();
  }

  /** The checkout expired, or the bank refused the payment. What a card reader was asked for can be paid in another way at once. */
  private async notPaid(
    tx: Tx,
    payments: readonly Payment[],
    reason: 'expired' | 'payment_failed',
    readerFault: ReaderFault = 'cancelled',
  ): Promise<void> {
    const locked = await this.lock(tx, payments);
    if (payments.some(({ method }) => method === 'reader')) {
      await this.payments.move(tx, idsOf(payments), 'failed', { readerFault });
      return;
    }
    const moved = await this.payments.move(tx, idsOf(payments), 'failed');
    if (moved.length > 0) await this.cards.releaseWith(tx, checkoutOf(payments));
    for (const { id, subject } of locked) if (moved.includes(id)) await subject?.notPaid(reason);
  }

  /**
   * Locks the subjects of a checkout.
   * @returns memberships first, because the prices of other subjects may require them
   */
  private async lock(
    tx: Tx,
    unordered: readonly Payment[],
  ): Promise<{ id: string; part: OrderPart; subject: LockedSubject | undefined }[]> {
    const payments = unordered.toSorted((one, other) => Number(one.membershipId === null) - Number(other.membershipId === null));
    const parts = payments.map(partOf);
    const locked = await this.subjects.lock(tx, parts);
    return payments.map(({ id }, index) => ({ id, part: parts[index] as OrderPart, subject: locked[index] }));
  }
}

/** What a payment is for. */
function partOf({ reservationId, membershipId, orderId }: Payment): OrderPart {
  if (reservationId !== null) return { reservationId };
  return membershipId === null ? { orderId: orderId as string } : { membershipId };
}

/** The id of the first payment of a checkout. */
function checkoutOf(payments: readonly Payment[]): string {
  const [first] = payments as [Payment];
  return first.checkoutId ?? first.id;
}

const idsOf = (payments: readonly Payment[]): string[] => payments.map(({ id }) => id);
