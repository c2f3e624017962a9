import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { SETTINGS, type Settings } from '#kernel';
import { RetentionService } from '#tenancy';

/** Registers the retention of events of payment providers. Payments are never deleted. */
@Injectable()
export class PaymentRetentionService implements OnModuleInit {
  constructor(
    private readonly retention: RetentionService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.retention.add({
      name: 'payment events',
      days: this.settings.paymentEventDays,
      table: 'payment_event',
      key: 'provider, id',
      time: 'received_at',
    });
  }
}
