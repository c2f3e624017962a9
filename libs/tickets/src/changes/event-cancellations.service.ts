import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EventProjections, EventsService } from '#catalogue';
import { runAsActor } from '#kernel';
import { JobsService } from '#jobs';
import { TenantDb, type Tx } from '#tenancy';
import { RefusedTransition } from '../inventory/refused-booking.js';
import { ReservationChangesService } from './reservation-changes.service.js';
import { lastLookSeconds } from '../booking-jobs.js';

/** Cancels the reservations of a cancelled event; its subject is the event. */
const eventCancellationJob = 'event-cancellation';

/** Progress of an event's cancellation, in reservations. */
export interface CancellationProgress {
  readonly since: Date;
  readonly cancelled: number;
  /** Not cancelled yet. */
  readonly left: number;
  /** Not cancelled because a ticket was scanned or goods were handed out. */
  readonly kept: number;
}

/** Reservations per job step; other jobs run between steps. */
const stepSize = 25;

const isUsed = `exists (select 1 from ticket where ticket.reservation_id = reservation.id
  and (ticket.status = 'S' or ticket.fulfilled_at is not null))`;

/** Cancels events and their reservations. */
@Injectable()
export class EventCancellationsService implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly events: EventsService,
    private readonly projections: EventProjections,
    private readonly changes: ReservationChangesService,
    private readonly jobs: JobsService,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(eventCancellationJob, (eventId) => this.step(eventId));
  }

  /**
   * Unpublishes an event at once, so that sales stop, and cancels its reservations in the background: holders get a mail and refunds. The
   * cancellation stops when the event is published again; the publisher then calls `withdraw`.
   * @returns false when there is no such event
   */
  async cancel(eventId: string, how: { readonly note?: string; readonly userId?: string } = {}): Promise<boolean> {
    if (!(await this.events.update(eventId, { published: false }))) return false;
    await this.db.transaction(async (tx) => {
      await tx.query(
        `insert into event_cancellation (event_id, note, user_id) values ($1, $2, $3)
         on conflict (event_id) do update set note = excluded.note, user_id = excluded.user_id,
           created_at = excluded.created_at, finished_at = null`,
        [eventId, how.note ?? null, how.userId ?? null],
      );
      await this.jobs.add(tx, eventCancellationJob, eventId);
      await this.projections.changed(tx, [eventId]);
    });
    return true;
  }

  /** Removes the cancellation of an event that is published again. Reservations that were already cancelled stay cancelled. */
  async withdraw(eventId: string): Promise<void> {
    await this.db.transaction((tx) => forget(tx, eventId));
  }

  /** @returns undefined when the event is not cancelled, or was published again */
  progress(eventId: string): Promise<CancellationProgress | undefined> {
    return this.db.transaction(async (tx) => {
      const [row] = await tx.query<CancellationProgress[]>(
        `select event_cancellation.created_at as since,
           count(*) filter (where reservation.status = 'C' and reservation.cancel_reason = 'event')::int as cancelled,
           count(*) filter (where reservation.status <> 'C' and not reservation.is_draft and not ${isUsed})::int as left,
           count(*) filter (where reservation.status <> 'C' and ${isUsed})::int as kept
         from event_cancellation join event on event.id = event_cancellation.event_id and not event.published
         left join reservation on reservation.event_id = event.id
         where event.id = $1 group by 1`,
        [eventId],
      );
      return row;
    });
  }

  /** Cancels some reservations and schedules the next step. A reservation that fails is retried; it does not block the others. */
  private async step(eventId: string): Promise<void> {
    const { note, userId, ids } = await this.next(eventId);
    if (ids.length === 0) return;
    const errors: unknown[] = [];
    for (const id of ids) {
      try {
        const cancel = () => this.changes.cancel(id, { reason: 'event', ...(note && { note }) });
        await (userId ? runAsActor({ kind: 'staff', userId }, cancel) : cancel());
      } catch (error) {
        // A ticket was scanned since the query: the reservation is kept.
        if (!(error instanceof RefusedTransition)) errors.push(error);
      }
    }
    // When every cancellation failed, the job fails and the queue retries it later.
    if (errors.length === ids.length) throw errors[0];
    await this.db.transaction((tx) => this.jobs.add(tx, eventCancellationJob, eventId));
  }

  /** Selects the reservations of the next step. When none are left shortly after the cancellation, another check is scheduled. */
  private next(eventId: string): Promise<{ note: string | null; userId: string | null; ids: string[] }> {
    return this.db.transaction(async (tx) => {
      await forget(tx, eventId);
      const [cancellation] = await tx.query<{ note: string | null; userId: string | null; isYoung: boolean }[]>(
        `select note, user_id as "userId", event_cancellation.created_at > now() - make_interval(secs => $2) as "isYoung"
         from event_cancellation where event_id = $1`,
        [eventId, lastLookSeconds],
      );
      if (!cancellation) return { note: null, userId: null, ids: [] };
      const rows = await tx.query<{ id: string }[]>(
        `select id from reservation where event_id = $1 and status <> 'C' and not is_draft and not ${isUsed} order by random() limit $2`,
        [eventId, stepSize],
      );
      if (rows.length === 0) {
        if (cancellation.isYoung) await this.jobs.add(tx, eventCancellationJob, eventId, { afterSeconds: lastLookSeconds });
        else await tx.query('update event_cancellation set finished_at = now() where event_id = $1', [eventId]);
      }
      return { note: cancellation.note, userId: cancellation.userId, ids: rows.map(({ id }) => id) };
    });
  }
}

/** Deletes the cancellation of a published event; otherwise the event would be cancelled again when it is unpublished later. */
async function forget(tx: Tx, eventId: string): Promise<void> {
  await tx.query('delete from event_cancellation using event where event.id = event_id and event_id = $1 and event.published', [eventId]);
}
