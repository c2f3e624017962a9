import { CatalogueModule } from '#catalogue';
import { TicketsModule } from '#tickets';
import { SellingModule } from '#selling';
import { Module, type OnModuleInit } from '@nestjs/common';
import { RetentionService } from '#tenancy';
import { WaitingEntry } from './waiting/waiting-entry.entity.js';
import { QueueSpot } from './queue/queue-spot.entity.js';
import { BookingQueueService } from './queue/booking-queue.service.js';
import { WaitingLinks } from './waiting/waiting-links.js';
import { WaitingListService } from './waiting/waiting-list.service.js';
import { WaitingProposalsService } from './waiting/waiting-proposals.service.js';

export const waitingEntities = [WaitingEntry, QueueSpot];

const shared = [BookingQueueService, WaitingLinks, WaitingListService, WaitingProposalsService];

@Module({
  imports: [CatalogueModule, TicketsModule, SellingModule],
  providers: [...shared],
  exports: shared,
})
export class WaitingModule implements OnModuleInit {
  constructor(private readonly retention: RetentionService) {}

  /** Registers how long places in a queue, ended entries of waiting lists, and entries that nobody confirmed are kept. */
  onModuleInit(): void {
    // Places are deleted while there is a queue; this deletes the last ones.
    this.retention.add({ name: 'booking queue', days: 1, table: 'booking_queue', key: 'id', time: 'arrived_at' });
    const entries = { table: 'waiting_entry', key: 'id' };
    this.retention.add({ ...entries, name: 'waiting list', days: 30, time: 'ended_at' });
    const unconfirmed = { days: 2, time: 'created_at', condition: "status = 'unconfirmed'" };
    this.retention.add({ ...entries, ...unconfirmed, name: 'unconfirmed waiting list' });
  }
}
