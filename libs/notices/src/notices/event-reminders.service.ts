import { databaseNow, partsInZone } from '#kernel';
import { JobsService } from '#jobs';
import { currentTenant, hasModule, ScheduledTasks, TenantDb } from '#tenancy';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { eventNoticeJob } from './event-notices.service.js';

/** Hours of the venue's clocks between which the reminders of the next day begin: at five, or later after a standstill. */
const hours = { from: 17, until: 21 } as const;

/** Reminds guests by mail on the day before an event, when the venue switched that on: once of each start. */
@Injectable()
export class EventRemindersService implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly jobs: JobsService,
    private readonly tasks: ScheduledTasks,
  ) {}

  onModuleInit(): void {
    this.tasks.add('event reminders', () => this.remind());
  }

  /** Begins the reminders that are due in the current tenant. @param now for tests */
  async remind(now = databaseNow()): Promise<void> {
    const { timeZone } = currentTenant();
    const hour = Number(partsInZone(now, timeZone).hour);
    if (!hasModule('ticketing') || hour < hours.from || hour >= hours.until) return;
    await this.db.transaction(async (tx) => {
      // One of several processes gets the row of an event and its start.
      const notices = await tx.query<{ id: string }[]>(
        `insert into event_notice (event_id, kind, audience, starts_at) select id, 'reminder', 'expected', starts_at from event
         where published and alteration is distinct from 'postponed' and (select remind_guests from configuration)
           and (starts_at at time zone $2)::date = ($1::timestamptz at time zone $2)::date + 1
         on conflict (event_id, starts_at) where kind = 'reminder' do nothing returning id`,
        [now, timeZone],
      );
      await this.jobs.addAll(
        tx,
        notices.map(({ id }) => ({ kind: eventNoticeJob, subjectId: id })),
      );
    });
  }
}
