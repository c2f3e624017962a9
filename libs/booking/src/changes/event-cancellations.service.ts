import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EventProjections, EventsService } from '#catalogue';
import { runAsActor } from '#kernel';
import { JobsService } from '#jobs';
import { TenantDb, type Tx } from '#tenancy';
import { RefusedTransition } from '../inventory/refused-booking.js';
import { ReservationChangesService } from './reservation-changes.service.js';
import { eventCancellationJob, lastLookSeconds } from '../booking-jobs.js';

/** How far the cancellation of an event has come. */
export interface CancellationProgress {
  readonly since: Date;
  readonly cancelled: number;
  /** Still to be cancelled. */
  readonly left: number;
  /** Kept, because somebody is inside with them, or goods of them are handed out. */
  readonly kept: number;
}

/** So many reservations a step: others' work comes in between. */
const stepSize = 25;

const inside = `exists (select 1 from ticket where ticket.reservation_id = reservation.id and (ticket.status = 'S' or ticket.fulfilled_at is not null))`;

/** Events that do not take place. */
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
   * Unpublishes an event at once, so that nothing more is sold, and has its reservations cancelled in the background: their holders are
   * told, what they paid goes back. Publishing the event again ends that: say so with `withdraw`.
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

  /** Forgets that an event was cancelled, once it is published again. Reservations that were cancelled stay so. */
  async withdraw(eventId: string): Promise<void> {
    await this.db.transaction((tx) => forget(tx, eventId));
  }

  /** @returns undefined when the event is not cancelled, or takes place after all */
  progress(eventId: string): Promise<CancellationProgress | undefined> {
    return this.db.transaction(async (tx) => {
      const [row] = await tx.query<CancellationProgress[]>(
        `select event_cancellation.created_at as since,
           count(*) filter (where reservation.status = 'C' and reservation.cancel_reason = 'event')::int as cancelled,
           count(*) filter (where reservation.status <> 'C' and not ${inside})::int as left,
           count(*) filter (where reservation.status <> 'C' and ${inside})::int as kept
         from event_cancellation join event on event.id = event_cancellation.event_id and not event.published
         left join reservation on reservation.event_id = event.id
         where event.id = $1 group by 1`,
        [eventId],
      );
      return row;
    });
  }

  /** Cancels a few and asks to be called again. One that cannot be cancelled holds up nothing but the end. */
  private async step(eventId: string): Promise<void> {
    const { note, userId, ids } = await this.next(eventId);
    if (ids.length === 0) return;
    const errors: unknown[] = [];
    for (const id of ids) {
      try {
        const cancel = () => this.changes.cancel(id, { reason: 'event', ...(note && { note }) });
        await (userId ? runAsActor({ kind: 'staff', userId }, cancel) : cancel());
      } catch (error) {
        // Somebody was let in with it meanwhile: it stays.
        if (!(error instanceof RefusedTransition)) errors.push(error);
      }
    }
    // Without any success it is tried again later, as every job that fails.
    if (errors.length === ids.length) throw errors[0];
    await this.db.transaction((tx) => this.jobs.add(tx, eventCancellationJob, eventId));
  }

  /** What the next step is about. When nothing seems left, somebody looks once more, a minute later. */
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
        `select id from reservation where event_id = $1 and status <> 'C' and not ${inside} order by random() limit $2`,
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

/** Unless the event is unpublished still: unpublished once more, much later, it would be cancelled again. */
async function forget(tx: Tx, eventId: string): Promise<void> {
  await tx.query('delete from event_cancellation using event where event.id = event_id and event_id = $1 and event.published', [eventId]);
}
