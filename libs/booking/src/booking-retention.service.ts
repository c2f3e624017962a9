import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { SETTINGS, type Settings } from '#kernel';
import { RetentionService } from '#tenancy';

/** Registers the retention of mails. Reservations, tickets and memberships are never deleted. */
@Injectable()
export class BookingRetentionService implements OnModuleInit {
  constructor(
    private readonly retention: RetentionService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.retention.add({
      name: 'mails',
      days: this.settings.mailDays,
      table: 'mail',
      key: 'id',
      time: 'created_at',
      condition: "status <> 'waiting'",
    });
  }
}
