import { Injectable } from '@nestjs/common';
import { RefusedInput, refuseUnlessWhole, retryOnDeadlock } from '#kernel';
import { TenantDb, type Tx } from '#tenancy';
import { texts } from '../locales/tickets.texts.js';
import { keepsPlacesSql } from '../places/code-uses.js';
import { WaitingSignal } from '../inventory/waiting.js';

/** The places that the dates of a series share. */
export interface SeriesPool {
  readonly name: string;
  /** null: each date has its own places only. */
  readonly capacity: number | null;
  /** Admission tickets of all dates. */
  readonly booked: number;
  readonly dates: number;
}

/** Places that the dates of a series share: of a date, no more are sold than its own capacity and that of the series allow. */
@Injectable()
export class SeriesPoolsService {
  constructor(
    private readonly db: TenantDb,
    private readonly waiting: WaitingSignal,
  ) {}

  /** @returns undefined when the event does not exist or belongs to no series */
  find(eventId: string): Promise<(SeriesPool & { readonly id: string }) | undefined> {
    return this.db.transaction(async (tx) => {
      const [row] = await tx.query<(SeriesPool & { id: string })[]>(
        `select series.id, series.name, series.capacity, sum(dates.booked)::int as booked, count(*)::int as dates
         from event join event_series series on series.id = event.series_id join event dates on dates.series_id = series.id
         where event.id = $1 group by series.id`,
        [eventId],
      );
      return row;
    });
  }

  /**
   * Lets the dates of a series share so many places, or none. Less than what is booked takes no places away, but sells nothing more.
   * @param capacity null: each date has its own places only
   * @returns false when there is no such series
   * @throws RefusedInput on `capacity`
   */
  async setCapacity(seriesId: string, capacity: number | null): Promise<boolean> {
    return retryOnDeadlock(() =>
      this.db.transaction(async (tx) => {
        await this.lockIn(tx);
        if (!(await this.setCapacityIn(tx, seriesId, capacity))) return false;
        const dates = await tx.query<{ id: string }[]>('select id from event where series_id = $1 order by id', [seriesId]);
        for (const { id } of dates) await this.waiting.freed(tx, id);
        return true;
      }),
    );
  }

  /** Sales lock the series only while its dates share places. So nobody sells, or moves dates, while that changes. */
  async lockIn(tx: Tx): Promise<void> {
    await tx.query('lock table event in exclusive mode');
  }

  /** The same in a transaction in which nobody else sells the dates: it began with `lockIn`, or has made all of them. */
  async setCapacityIn(tx: Tx, seriesId: string, capacity: number | null): Promise<boolean> {
    refuseUnlessWhole('capacity', capacity, 0);
    if (capacity !== null) await refuseKept(tx, seriesId);
    const [rows] = await tx.query<[unknown[], number]>(
      `update event_series set capacity = $2, updated_at = (select now()), booked = case when $2::int is null then 0
         else coalesce((select sum(dates.booked)::int from event dates where dates.series_id = $1), 0) end
       where id = $1 returning id`,
      [seriesId, capacity],
    );
    return rows.length > 0;
  }
}

/** The places that a code keeps are those of one date. @throws RefusedInput on `capacity` */
async function refuseKept(tx: Tx, seriesId: string): Promise<void> {
  const kept = await tx.query<unknown[]>(`select from event where series_id = $1 and ${keepsPlacesSql('event.id')} limit 1`, [seriesId]);
  if (kept.length > 0) throw new RefusedInput('capacity', texts.localized('codes.keepsPlaces'));
}
