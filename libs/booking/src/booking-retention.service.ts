import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { SETTINGS, type Settings } from '#kernel';
import { RetentionService } from '#tenancy';

/** Days after which ended entries of waiting lists, and entries that nobody confirmed, are deleted. */
const waitingDays = { ended: 30, unconfirmed: 2 };

/** Days after which memberships in carts that nobody completed are deleted. */
const cartDays = 1;

/** Registers the retention of mails, waiting lists, queues, carts and sessions of accounts. Sales and memberships are never deleted. */
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
    // Places are deleted while there is a queue; this deletes the last ones.
    this.retention.add({ name: 'booking queue', days: 1, table: 'booking_queue', key: 'id', time: 'arrived_at' });
    // The limit per network looks at those of the last day.
    this.retention.add({ name: 'ended holds', days: 1, table: 'ended_hold', key: 'id', time: 'ended_at' });
    const entries = { table: 'waiting_entry', key: 'id' };
    this.retention.add({ ...entries, name: 'waiting list', days: waitingDays.ended, time: 'ended_at' });
    this.retention.add({
      ...entries,
      name: 'unconfirmed waiting list',
      days: waitingDays.unconfirmed,
      time: 'created_at',
      condition: "status = 'unconfirmed'",
    });
    this.retention.add({ name: 'carts', days: cartDays, table: 'cart_membership', key: 'id', time: 'created_at' });
    // A session lasts some hours.
    this.retention.add({ name: 'account sessions', days: 1, table: 'account_session', key: 'id', time: 'created_at' });
  }
}
