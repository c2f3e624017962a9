import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { LOGGER, SETTINGS, type Logger, type Settings } from '#kernel';
import { currentTenant, Jobs, TenantDb, tenantUrl, type Tx } from '#tenancy';
import { closeCheckoutJob, refundJob } from '../reservations/reservation-jobs.js';
import { HolderLinks } from '../holder-links.js';
import { OnlineProvider } from './online-provider.js';
import { PaymentProviderRefused, PaymentProviderUnavailable } from './payment-errors.js';
import { Payments, type PaymentSubject } from './payments.service.js';

/** What somebody is to pay online. */
export interface Bill {
  readonly subject: PaymentSubject;
  readonly amount: string;
  /** In the buyer's words. */
  readonly description: string;
  readonly email: string;
  readonly language: 'en' | 'fr' | null;
  /** Until when what is paid for is kept. */
  readonly expiresAt: Date;
}

export interface CheckoutSteps<Result> {
  opened?(tx: Tx): Promise<void>;
  read(tx: Tx): Promise<Result>;
}

/** Where buyers pay online: opened, closed, and paid back. Not inside a transaction; what each answers is written in one. */
@Injectable()
export class Checkouts implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly payments: Payments,
    private readonly provider: OnlineProvider,
    private readonly links: HolderLinks,
    private readonly jobs: Jobs,
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(refundJob, (id, { isLast }) => this.refund(id, isLast));
    this.jobs.handle(closeCheckoutJob, (id) => this.close(id));
  }

  /** Whether the tenant takes payments online. */
  available(): Promise<boolean> {
    return this.provider.available();
  }

  /**
   * Opens a checkout.
   * @param opened what changes with it, in the transaction that keeps its address
   * @param read what is read there once it is kept
   * @throws PaymentProviderUnavailable, PaymentProviderRefused: nothing can be paid then
   */
  async open<Result>(bill: Bill, { opened, read }: CheckoutSteps<Result>): Promise<Result> {
    const { subject, amount, description, email, language, expiresAt } = bill;
    const tenant = currentTenant();
    const paymentId = await this.db.transaction((tx) => this.payments.begin(tx, subject, amount, this.provider.name));
    const back = tenantUrl(this.settings, tenant, this.links.pathTo(subject));
    const { reference, url } = await this.provider.open({
      paymentId,
      amount,
      currency: 'EUR',
      description,
      email,
      language: language ?? tenant.language,
      successUrl: back,
      cancelUrl: back,
      expiresAt,
    });
    return this.db.transaction(async (tx) => {
      // First what locks reservations, then the payment: the order of every change.
      await opened?.(tx);
      await this.payments.opened(tx, paymentId, reference, url);
      return read(tx);
    });
  }

  /** Pays back what is due, once: asked again, the provider answers what it answered before. What cannot go back so is told to the staff. */
  private async refund(id: string, isLast: boolean): Promise<void> {
    const payment = await this.db.transaction((tx) => this.payments.find(tx, id));
    if (payment?.status !== 'refund_due' || payment.providerPayment === null) return;
    const { amount, currency, providerPayment: paymentIntent } = payment;
    let refund: string | undefined;
    try {
      refund = (await this.provider.refund({ paymentId: id, paymentIntent, amount, currency })).reference;
    } catch (error) {
      if (error instanceof PaymentProviderUnavailable && isLast)
        await this.db.transaction((tx) => this.payments.troubled(tx, id, error.message));
      if (!(error instanceof PaymentProviderRefused)) throw error;
      // Staff were faster, on the provider's own pages. Anything else stays due, for staff to give back.
      if (error.code !== 'charge_already_refunded') {
        this.logger.warn({ code: error.code, paymentId: id }, 'refund refused by the payment provider');
        await this.db.transaction((tx) => this.payments.troubled(tx, id, error.message));
        return;
      }
    }
    await this.db.transaction((tx) => this.payments.move(tx, id, 'refunded', refund ? { refund } : {}));
  }

  /** Nobody shall pay there any more. One that was paid meanwhile is told of by the provider, and paid back. */
  private async close(id: string): Promise<void> {
    const payment = await this.db.transaction((tx) => this.payments.find(tx, id));
    if (payment?.status !== 'failed' || payment.reference === null) return;
    try {
      await this.provider.expire(payment.reference);
    } catch (error) {
      if (!(error instanceof PaymentProviderRefused)) throw error;
    }
  }
}
