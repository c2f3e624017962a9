import { Injectable } from '@nestjs/common';
import { pauses } from '#kernel';
import { TenantDb } from '#tenancy';
import { PackSaltService } from '../pack-data/pack-salt.service.js';
import { readPosition } from '../pack-data/position.js';
import type { JournalLine } from './journal-line.js';

/** Events of a few months around now: a journal may be late, and a place has no more of them in its doors. */
const mostEvents = 2000;
const nearSql = `
  select e.id from event e
  where greatest(e.starts_at, e.ends_at) > now() - interval '90 days' and now() + interval '90 days' > e.starts_at
  order by e.starts_at desc, e.id limit ${mostEvents}`;

/** Finds out at the door of which event a line was written. */
@Injectable()
export class LineEventsService {
  constructor(
    private readonly db: TenantDb,
    private readonly salts: PackSaltService,
  ) {}

  /**
   * For the lines of one batch. Older versions of the app do not name the event; their lines have the position of their last list, and in
   * it the mark of the event's salt.
   * @returns the event of a line; null: nobody knows
   */
  ofBatch(): (line: JournalLine) => Promise<string | null> {
    let events: Promise<ReadonlyMap<string, string>> | undefined;
    return async ({ eventId, position }) => {
      const mark = eventId === null && position !== null ? readPosition(position)?.salt : undefined;
      return mark ? ((await (events ??= this.byMark())).get(mark) ?? null) : eventId;
    };
  }

  private async byMark(): Promise<ReadonlyMap<string, string>> {
    const near = await this.db.transaction((tx) => tx.query<{ id: string }[]>(nearSql));
    const events = new Map<string, string>();
    const pause = pauses();
    for (const { id } of near) {
      await pause();
      events.set(this.salts.of(id).mark, id);
    }
    return events;
  }
}
