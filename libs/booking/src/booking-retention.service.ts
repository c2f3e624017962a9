import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { SETTINGS, type Settings } from '#kernel';
import { Retention } from '#tenancy';

/** What booking deletes when it is old. Reservations, tickets, memberships and payments are never deleted. */
@Injectable()
export class BookingRetention implements OnModuleInit {
  constructor(
    private readonly retention: Retention,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    const { mailDays, paymentEventDays } = this.settings;
    this.retention.add({
      name: 'mails',
      days: mailDays,
      table: 'mail',
      key: 'id',
      time: 'created_at',
      condition: "status <> 'waiting'",
    });
    this.retention.add({
      name: 'payment events',
      days: paymentEventDays,
      table: 'payment_event',
      key: 'provider, id',
      time: 'received_at',
    });
  }
}
