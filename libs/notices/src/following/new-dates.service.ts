import { MailsService } from '#tickets';
import { databaseNow, partsInZone } from '#kernel';
import { JobsService } from '#jobs';
import { categoryHas, currentTenant, ScheduledTasks, TenantDb, type Tx } from '#tenancy';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { FollowerMailing } from './new-date.entity.js';

/** Writes the mails of a day to the followers of a venue; its subject is the row of `follower_mailing`. */
const followerMailingJob = 'follower-mailing';

/** Hours of the venue's clocks between which the mails of a day are written: at ten, or later after a standstill. */
const hours = { from: 10, until: 20 } as const;

/** Mails written in one step; other jobs run between steps. */
const stepSize = 50;

/** SQL: an event that the public pages list and that is to come. Slots of volunteers are no dates for everybody. */
export const isNewDateSql = `(event.published and not event.is_private and event.category <> 'ACT'
  and event.alteration is distinct from 'postponed' and event.starts_at > (select statement_timestamp()))`;

/** Tells followers once a day which dates are new. Each event is told of once. */
@Injectable()
export class NewDatesService implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly mails: MailsService,
    private readonly jobs: JobsService,
    private readonly tasks: ScheduledTasks,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(followerMailingJob, (id) => this.step(id));
    this.tasks.add('new dates', () => this.run());
  }

  /** Notices new events of the current tenant, and begins the mails of the day when it is time. @param now for tests */
  async run(now = databaseNow()): Promise<void> {
    const { category, timeZone } = currentTenant();
    if (!categoryHas(category, 'events')) return;
    const { year, month, day, hour } = partsInZone(now, timeZone);
    await this.db.transaction(async (tx) => {
      await tx.query(
        `insert into new_date (event_id) select id from event where ${isNewDateSql}
           and not exists (select 1 from new_date where new_date.event_id = event.id) on conflict (event_id) do nothing`,
      );
      if (Number(hour) >= hours.from && Number(hour) < hours.until) await this.begin(tx, `${year}-${month}-${day}`);
    });
  }

  /** Assigns new events to the mailing of a day. Only one of several processes begins it. */
  private async begin(tx: Tx, day: string): Promise<void> {
    const [mailing] = await tx.query<{ id: string }[]>(
      `insert into follower_mailing (day) select $1::date where exists (select 1 from new_date join event on event.id = new_date.event_id
         where told_on is null and ${isNewDateSql}) on conflict (day) do nothing returning id`,
      [day],
    );
    if (!mailing) return;
    await tx.query(
      `update new_date set told_on = $1::date from event where event.id = new_date.event_id and told_on is null and ${isNewDateSql}`,
      [day],
    );
    await this.jobs.add(tx, followerMailingJob, mailing.id);
  }

  /** Writes some mails and schedules the next step. */
  private async step(id: string): Promise<void> {
    await this.db.transaction(async (tx) => {
      // Two jobs of one mailing would write the same mails.
      const mailing = await tx.findOne(FollowerMailing, { where: { id }, lock: { mode: 'pessimistic_write' } });
      if (!mailing || mailing.finishedAt !== null) return;
      const due = await tx.query<{ id: string; recipient: string }[]>(
        `select id, email as recipient from follower where event_id is null and confirmed_at is not null
           and (select follow_by_mail from configuration)
           and exists (select 1 from new_date where told_on = $2 and noticed_at > follower.confirmed_at)
           and not exists (select 1 from mail where mail.mailing_id = $1 and mail.follower_id = follower.id)
         order by id limit ${stepSize}`,
        [id, mailing.day],
      );
      for (const { id: followerId, recipient } of due) await this.mails.add(tx, 'new-dates', { followerId, mailingId: id, recipient });
      if (due.length < stepSize) await tx.update(FollowerMailing, { id }, { finishedAt: () => 'now()' });
      else await this.jobs.add(tx, followerMailingJob, id);
    });
  }
}
