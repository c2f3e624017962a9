import { Injectable } from '@nestjs/common';
import { retryOnDeadlock } from '#kernel';
import { TenantDb, type Tx } from '#tenancy';
import { countsSql } from '../inventory/remaining.js';

/** A counter that differs from the rows it counts. */
export interface Drift {
  /**
   * `event`: booked places. `event_series`: those of all dates that share places. `price`: stock shared by all events. `event_price`: stock
   * of a price for one event.
   */
  readonly kind: 'event' | 'event_series' | 'price' | 'event_price';
  /** Id of the event (kind `event`), of the series, or of the price. */
  readonly id: string;
  /** The event of an `event_price`; else null. */
  readonly eventId: string | null;
  readonly name: string;
  /** Value of the counter. */
  readonly counted: number;
  /** Number of rows. */
  readonly rows: number;
}

/** SQL: number of tickets that take places or stock, grouped by these columns. */
const tickets = (columns: string, condition: string): string => `
  (select ${columns}, count(*)::int as count from ticket join reservation on reservation.id = ticket.reservation_id
   where ${condition} and ${countsSql} group by ${columns})`;

const eventCounters = `
  select event.id, coalesce(found.count, 0) as rows from event
  left join ${tickets('ticket.event_id', 'ticket.admission')} found on found.event_id = event.id`;
const seriesCounters = `
  select series.id, case when series.capacity is null then 0 else coalesce(sum(found.rows), 0)::int end as rows
  from event_series series left join event on event.series_id = series.id left join (${eventCounters}) found on found.id = event.id
  group by series.id`;
const priceCounters = `
  select price.id, coalesce(goods.count, 0) + coalesce(memberships.count, 0) as rows from price
  left join ${tickets('ticket.price_id', 'not ticket.admission')} goods on goods.price_id = price.id
  left join (select price_id, count(*)::int as count from membership where status <> 'cancelled' and released_at is null group by 1)
    memberships on memberships.price_id = price.id`;
/** Includes tickets whose counter row is missing. */
const eventPriceCounters = `
  select event_id, price_id, coalesce(counter.sold, 0) as sold, coalesce(found.count, 0) as rows from event_price counter
  full join ${tickets('ticket.event_id, ticket.price_id', 'ticket.admission')} found using (event_id, price_id)`;

const driftSql = `
  select * from (
    select 'event' as kind, event.id, null::uuid as "eventId", event.name, event.booked as counted, found.rows
    from event join (${eventCounters}) found on found.id = event.id
    union all
    select 'event_series', series.id, null, series.name, series.booked, found.rows
    from event_series series join (${seriesCounters}) found on found.id = series.id
    union all
    select 'price', price.id, null, price.name, price.sold, found.rows from price join (${priceCounters}) found on found.id = price.id
    union all
    select 'event_price', price.id, event.id, concat(price.name, ' · ', event.name), found.sold, found.rows
    from (${eventPriceCounters}) found join price on price.id = found.price_id join event on event.id = found.event_id) as counters
  where counted <> rows order by kind, name, id, "eventId"`;

/** Compares the counters of places and stock with the rows that they count. */
@Injectable()
export class AuditService {
  constructor(private readonly db: TenantDb) {}

  /** Lists the counters that are wrong. One statement reads counters and rows, so both are of the same moment. */
  drifts(): Promise<Drift[]> {
    return this.db.transaction((tx) => tx.query<Drift[]>(driftSql));
  }

  /** Recomputes every counter. @returns the counters that were wrong */
  repair(): Promise<Drift[]> {
    const repaired = async (tx: Tx): Promise<Drift[]> => {
      // Waits for running bookings and cancellations and blocks new ones: they lock rows of these tables.
      await tx.query('lock table event, event_series, price, event_price in exclusive mode');
      const before = await tx.query<Drift[]>(driftSql);
      await recount(tx);
      return before;
    };
    return retryOnDeadlock(() => this.db.transaction(repaired));
  }
}

/** Recomputes every counter from the rows. Call it after rows were written without the booking services (import, demo data). */
export async function recount(tx: Tx): Promise<void> {
  await tx.query(`update event set booked = found.rows from (${eventCounters}) found where found.id = event.id and booked <> found.rows`);
  await tx.query(
    `update event_series set booked = found.rows from (${seriesCounters}) found where found.id = event_series.id and booked <> found.rows`,
  );
  await tx.query(`update price set sold = found.rows from (${priceCounters}) found where found.id = price.id and sold <> found.rows`);
  await tx.query(
    `insert into event_price (event_id, price_id, sold) select event_id, price_id, rows from (${eventPriceCounters}) found
     where sold <> rows
     on conflict (event_id, price_id) do update set sold = excluded.sold`,
  );
}
