import { Injectable, type OnModuleInit } from '@nestjs/common';
import { databaseNow, FairLimit } from '#kernel';
import { JobsService } from '#jobs';
import { TenantDb, type Tx } from '#tenancy';
import { lookAtCheckoutJob } from '../ledger/payment-jobs.js';
import type { Payment } from '../ledger/payment.entity.js';
import { PaymentsService } from '../ledger/payments.service.js';
import { PaymentAccountsService } from '../accounts/payment-accounts.service.js';
import { limits } from '../limits.js';
import { PaymentAccountMissing, PaymentProviderRefused, PaymentProviderUnavailable } from '../providers/payment-errors.js';
import type { ProviderChange } from '../providers/provider-event.js';
import { ProviderEventHandlerService } from './provider-event-handler.service.js';

/** A payment of a checkout whose outcome is asked for. */
type Asked = Pick<Payment, 'id' | 'checkoutId' | 'status' | 'checkoutUrl'>;

/** The provider is asked this long before a hold ends, so that who paid keeps the places. */
const beforeEndMs = 60_000;
/** Asking soon: the event usually arrives meanwhile. Also the shortest time between two requests about one checkout. */
const soonSeconds = 2;
const hour = 3600;
/** Nobody is asked about older payments: bank debits are decided by then. */
const oldestSeconds = 22 * 24 * hour;

/**
 * Asks the provider for the outcome of checkouts whose event did not arrive: when the buyer returns, shortly before the hold ends, and
 * again until the checkout is paid or over. An outcome is applied like the event that reports it, so each has one effect.
 */
@Injectable()
export class CheckoutOutcomesService implements OnModuleInit {
  private readonly noticed = new FairLimit(limits.notices.turns);

  constructor(
    private readonly db: TenantDb,
    private readonly payments: PaymentsService,
    private readonly accounts: PaymentAccountsService,
    private readonly events: ProviderEventHandlerService,
    private readonly jobs: JobsService,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(lookAtCheckoutJob, (id) => this.look(id));
  }

  /** Schedules the first request about a checkout. @param id of its first payment @param expiresAt end of the hold */
  schedule(tx: Tx, id: string, expiresAt: Date): Promise<void> {
    return this.jobs.add(tx, lookAtCheckoutJob, id, { dueAt: new Date(expiresAt.getTime() - beforeEndMs) });
  }

  /** Asks about the open checkouts of these payments in two seconds, in the background. */
  async askSoon(payments: readonly Asked[]): Promise<void> {
    const open = payments.filter(({ status, checkoutUrl }) => status === 'pending' && checkoutUrl !== null);
    const ids = [...new Set(open.map(({ id, checkoutId }) => checkoutId ?? id))];
    const time = { afterSeconds: soonSeconds };
    if (ids.length === 0) return;
    await this.db.transaction((tx) =>
      this.jobs.addAll(
        tx,
        ids.map((subjectId) => ({ kind: lookAtCheckoutJob, subjectId, time })),
      ),
    );
  }

  /**
   * Asks about a checkout that a message without a signature named. Nobody is asked about a checkout that the tenant does not have. Each
   * message asks, because one that shared the answer to an earlier question could miss what happened in between.
   * @throws PaymentProviderUnavailable, also while the account is closed or its key is wrong: the provider repeats the message
   */
  async askNoticed(provider: string, reference: string): Promise<void> {
    const payment = await this.db.transaction((tx) => this.payments.ofReference(tx, provider, reference));
    if (!payment) return;
    try {
      await this.noticed.run(() => this.learn(payment));
    } catch (error) {
      if (!(error instanceof PaymentProviderRefused)) throw error;
      if (error instanceof PaymentAccountMissing || error.code === 'key') throw new PaymentProviderUnavailable(error.message);
    }
  }

  /**
   * Asks the provider of a payment and applies what it says. An open checkout changes nothing, nor does one that the provider refuses:
   * staff may correct the account meanwhile.
   * @param payment the first one of the checkout
   * @throws PaymentProviderUnavailable
   */
  async apply(payment: Payment): Promise<void> {
    try {
      await this.learn(payment);
    } catch (error) {
      if (!(error instanceof PaymentProviderRefused)) throw error;
    }
  }

  /** The same. @throws PaymentProviderRefused, PaymentProviderUnavailable */
  private async learn(payment: Payment): Promise<void> {
    if (payment.reference === null) return;
    const { provider, account } = await this.accounts.of(payment);
    for (const change of await provider.look(payment.reference, account, payment))
      await this.events.apply(provider.name, { id: seenOf(payment.reference, change), change });
  }

  private async look(id: string): Promise<void> {
    const before = await this.waiting(id);
    if (!before) return;
    await this.apply(before);
    const now = await this.waiting(id);
    if (now) await this.lookAgain(now);
  }

  /** The first payment of a checkout while its outcome is not known. */
  private async waiting(id: string): Promise<Payment | undefined> {
    const payments = await this.db.transaction((tx) => this.payments.ofCheckout(tx, id));
    return payments.some(({ status }) => status === 'pending' || status === 'processing')
      ? payments.find((one) => one.id === id)
      : undefined;
  }

  /** A checkout ends half an hour after its hold, a bank debit takes days. */
  private async lookAgain({ id, createdAt }: Payment): Promise<void> {
    const age = (databaseNow().getTime() - createdAt.getTime()) / 1000;
    if (age > oldestSeconds) return;
    const afterSeconds = age < 2 * hour ? 0.6 * hour : age < 26 * hour ? 6 * hour : 24 * hour;
    await this.db.transaction((tx) => this.jobs.add(tx, lookAtCheckoutJob, id, { afterSeconds }));
  }
}

/** Names what was seen of a checkout: what is seen again is applied once. */
function seenOf(reference: string, change: ProviderChange): string {
  if (change.type === 'refunded') return `${reference} refunded ${change.refunded}`;
  return change.type === 'refund_failed' ? `${change.reference} refund_failed` : `${reference} ${change.type}`;
}
