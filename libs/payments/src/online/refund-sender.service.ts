import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { LOGGER, type Logger } from '#kernel';
import { JobsService } from '#jobs';
import { ScheduledTasks } from '#tenancy';
import { refundJob } from '../ledger/payment-jobs.js';
import { PaymentAccountsService } from '../accounts/payment-accounts.service.js';
import { PaymentProviderRefused, PaymentProviderUnavailable } from '../providers/payment-errors.js';
import { RefundsService, type ClaimedRefund } from '../ledger/refunds.service.js';

/** Another process has claimed the refund (or died while it did): the job is retried. */
class RefundBusy extends Error {
  override readonly name = 'RefundBusy';
}

/** Requests due refunds from the provider and account that the payment was made with. Failures are stored on the refund and retried. */
@Injectable()
export class RefundSenderService implements OnModuleInit {
  constructor(
    private readonly refunds: RefundsService,
    private readonly accounts: PaymentAccountsService,
    private readonly jobs: JobsService,
    private readonly tasks: ScheduledTasks,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(refundJob, (id) => this.send(id));
    this.tasks.add(forgottenRefundsTask, () => this.refunds.retryForgotten());
  }

  private async send(id: string): Promise<void> {
    const { claimed, busy } = await this.refunds.claim(id);
    const failures: unknown[] = [];
    for (const refund of claimed) {
      try {
        await this.ask(refund);
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
    if (busy) throw new RefundBusy('Another process requests the refund.');
  }

  private async ask(refund: ClaimedRefund): Promise<void> {
    const { id, paymentId, providerPayment, amount, currency, attempt, settledBefore } = refund;
    try {
      const { provider, account } = await this.accounts.of(refund);
      if (providerPayment === null) throw new PaymentProviderRefused('The provider never named this payment.');
      const request = { paymentId, providerPayment, amount, currency, refundId: id, isRepeated: attempt > 1, settledBefore };
      const { reference } = await provider.refund(request, account);
      await this.refunds.settledOnline(id, reference);
    } catch (error) {
      const refused = error instanceof PaymentProviderRefused;
      // Staff made the refund on the provider's own pages.
      if (refused && error.code === 'already_refunded') return this.refunds.settledOnline(id);
      const known = refused || error instanceof PaymentProviderUnavailable;
      // The message of an unknown error may contain anything; staff see its class only.
      await this.refunds.troubled(id, known ? error.message : `The refund failed (${nameOf(error)}).`);
      this.logger.warn({ refundId: id, paymentId, failure: nameOf(error) }, 'refund failed at the payment provider');
      // An immediate retry would be refused again: the scheduled task retries later, and staff may retry earlier.
      if (!refused) throw error;
    }
  }
}

/** Hourly task: requests due refunds again that were not requested recently. */
export const forgottenRefundsTask = 'retry refunds';

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown');
