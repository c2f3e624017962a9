import { Injectable, type OnModuleInit } from '@nestjs/common';
import { JobsService } from '#jobs';
import type { Language } from '#kernel';
import { currentTenant, TenantDb, type Tx } from '#tenancy';
import { closeCheckoutJob } from '../ledger/payment-jobs.js';
import { OnlineProvider, type CheckoutRequest } from './online-provider.js';
import { PaymentProviderRefused, PaymentProviderUnavailable } from './payment-errors.js';
import type { PaymentSubject } from '../ledger/payment-subjects.js';
import { PaymentsService } from '../ledger/payments.service.js';

/** What somebody is to pay online. */
export interface Bill {
  readonly subject: PaymentSubject;
  /** In the buyer's words. */
  readonly description: string;
  readonly email: string;
  readonly language: Language | null;
  /** Until when what is paid for is kept. */
  readonly expiresAt: Date;
  /** Where the buyer goes after paying, or without. */
  readonly returnUrl: string;
}

export interface CheckoutSteps<Result> {
  opened?(tx: Tx): Promise<void>;
  read(tx: Tx): Promise<Result>;
}

/** Where buyers pay online: opened and closed. Not inside a transaction; what each answers is written in one. */
@Injectable()
export class CheckoutsService implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly payments: PaymentsService,
    private readonly provider: OnlineProvider,
    private readonly jobs: JobsService,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(closeCheckoutJob, (id) => this.close(id));
  }

  /** Whether the tenant takes payments online. */
  available(): Promise<boolean> {
    return this.provider.available();
  }

  /**
   * Opens a checkout for what is due at this moment, once: repeated, it goes on with the one that was begun, and the provider is asked the
   * same with the same key. For what is paid, confirmed or cancelled meanwhile none is opened.
   * @param opened what changes with it, in the transaction that keeps its address
   * @param read what is read there once it is kept
   * @throws PaymentProviderUnavailable, PaymentProviderRefused: nothing can be paid then
   */
  async open<Result>(bill: Bill, { opened, read }: CheckoutSteps<Result>): Promise<Result> {
    const { subject, description, email, language, expiresAt, returnUrl } = bill;
    const begun = await this.db.transaction((tx) => this.payments.begin(tx, subject, this.provider.name));
    if (!begun || begun.isOpen) return this.db.transaction(read);
    const { paymentId, amount } = begun;
    const { reference, url } = await this.ask({
      paymentId,
      amount,
      currency: 'EUR',
      description,
      email,
      language: language ?? currentTenant().language,
      successUrl: returnUrl,
      cancelUrl: returnUrl,
      expiresAt,
    });
    return this.db.transaction(async (tx) => {
      // First what locks reservations, then the payment: the order of every change.
      await opened?.(tx);
      await this.payments.opened(tx, paymentId, reference, url);
      return read(tx);
    });
  }

  private async ask(request: CheckoutRequest): Promise<{ reference: string; url: string }> {
    try {
      return await this.provider.open(request);
    } catch (error) {
      if (error instanceof PaymentProviderUnavailable && error.isAnswered)
        await this.db.transaction((tx) => this.payments.notOpened(tx, request.paymentId));
      throw error;
    }
  }

  /**
   * Whether a repeat of this request will find what is to be paid and open its checkout: it has an `Idempotency-Key`, and the provider did
   * not refuse. Otherwise nobody can pay any more.
   */
  mayBeRepeated(error: unknown): boolean {
    return this.db.repetition() !== undefined && !(error instanceof PaymentProviderRefused);
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
