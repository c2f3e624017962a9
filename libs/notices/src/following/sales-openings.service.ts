import { isShownSql, isKindSql, saleStateSql, soldForEventsSql } from '#catalogue';
import { MailsService } from '#tickets';
import { JobPostponed, JobsService } from '#jobs';
import { ScheduledTasks, TenantDb, type Tx } from '#tenancy';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { salesOpeningJob } from './followers.service.js';

/** Mails written in one step; other jobs run between steps. */
const stepSize = 50;

/** The opening may be moved, and the event cancelled and published again: this many seconds later at most it is looked up again. */
const longestPause = 300;

interface OpeningState {
  /** Somebody may come still. */
  readonly isComing: boolean;
  /** Tickets are sold on the public page of the event. */
  readonly isOpen: boolean;
  /** Seconds until the first sale begins; null: not known. */
  readonly opensIn: number | null;
}

/** Whether the sale of tickets for an event has begun. @returns undefined when there is no such event (any more) */
export async function openingOf(tx: Tx, eventId: string): Promise<OpeningState | undefined> {
  const [found] = await tx.query<OpeningState[]>(
    `select event.starts_at > statement_timestamp() as "isComing",
       event.published and not event.is_private and event.alteration is distinct from 'postponed'
         and coalesce(bool_or(${saleStateSql('price')} = 'open'), false) as "isOpen",
       extract(epoch from min(price.sales_from) filter (where ${saleStateSql('price')} = 'upcoming') - statement_timestamp())::float8
         as "opensIn"
     from event left join (${soldForEventsSql()} sold
       join product on product.id = sold.product_id and product.published and ${isKindSql('product.category', 'admission')}
       join price on price.product_id = product.id and ${isShownSql('price')}) on sold.event_id = event.id
     where event.id = $1 group by event.id`,
    [eventId],
  );
  return found;
}

/** Tells people who asked for it, once, that tickets of an event are sold. */
@Injectable()
export class SalesOpeningsService implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly mails: MailsService,
    private readonly jobs: JobsService,
    private readonly tasks: ScheduledTasks,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(salesOpeningJob, (id) => this.look(id));
    this.tasks.add('sales openings', () => this.watch());
  }

  /** Looks at an event for which people wait, again until its sale begins or nobody can come any more. */
  async look(eventId: string): Promise<void> {
    const pause = await this.db.transaction((tx) => this.tell(tx, eventId));
    if (pause !== undefined) throw new JobPostponed(pause);
  }

  /** Adds the jobs of all events for which people wait: those of an imported tenant, and of jobs that were given up. */
  private async watch(): Promise<void> {
    await this.db.transaction(async (tx) => {
      const events = await tx.query<{ id: string }[]>(
        'select distinct event_id as id from follower where event_id is not null and confirmed_at is not null and told_at is null',
      );
      await this.jobs.addAll(
        tx,
        events.map(({ id }) => ({ kind: salesOpeningJob, subjectId: id })),
      );
    });
  }

  /** @returns seconds after which the event is looked up again; undefined: there is nothing more to do */
  private async tell(tx: Tx, eventId: string): Promise<number | undefined> {
    const state = await openingOf(tx, eventId);
    if (!state?.isComing) {
      await tx.query('delete from follower where event_id = $1 and told_at is null', [eventId]);
      return undefined;
    }
    if (!state.isOpen) {
      const [waiting] = await tx.query<{ id: string }[]>(
        'select id from follower where event_id = $1 and confirmed_at is not null and told_at is null limit 1',
        [eventId],
      );
      return waiting && Math.max(1, Math.min(longestPause, Math.ceil(state.opensIn ?? longestPause)));
    }
    // Each row is changed by one of several processes, whose mail it is.
    const [rows] = await tx.query<[{ id: string; recipient: string }[], number]>(
      `update follower set told_at = (select now()) where id in (select id from follower
         where event_id = $1 and confirmed_at is not null and told_at is null order by confirmed_at, id limit ${stepSize}
         for update skip locked) returning id, email as recipient`,
      [eventId],
    );
    for (const { id: followerId, recipient } of rows) await this.mails.add(tx, 'sales-open', { followerId, recipient });
    return rows.length < stepSize ? undefined : 0;
  }
}
