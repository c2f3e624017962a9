import { Injectable } from '@nestjs/common';
import { retryOnDeadlock } from '#kernel';
import { TenantDb, type Tx } from '#tenancy';
import { countsSql } from '../inventory/remaining.js';

/** A counter that does not say what the rows say. */
export interface Drift {
  /** `event`: its places. `price`: stock that all events share. `event_price`: the stock of a price for one event. */
  readonly kind: 'event' | 'price' | 'event_price';
  /** Of the event, or of the price. */
  readonly id: string;
  /** Of `event_price`: the event. */
  readonly eventId: string | null;
  readonly name: string;
  /** What the counter says. */
  readonly counted: number;
  /** How many rows there are. */
  readonly rows: number;
}

/** SQL: how many tickets count, by these columns. */
const tickets = (columns: string, condition: string): string => `
  (select ${columns}, count(*)::int as count from ticket join reservation on reservation.id = ticket.reservation_id
   where ${condition} and ${countsSql} group by ${columns})`;

const eventCounters = `
  select event.id, coalesce(found.count, 0) as rows from event
  left join ${tickets('ticket.event_id', 'ticket.admission')} found on found.event_id = event.id`;
const priceCounters = `
  select price.id, coalesce(goods.count, 0) + coalesce(memberships.count, 0) as rows from price
  left join ${tickets('ticket.price_id', 'not ticket.admission')} goods on goods.price_id = price.id
  left join (select price_id, count(*)::int as count from membership where status <> 'cancelled' and released_at is null group by 1)
    memberships on memberships.price_id = price.id`;
/** Tickets without a counter included. */
const eventPriceCounters = `
  select event_id, price_id, coalesce(counter.sold, 0) as sold, coalesce(found.count, 0) as rows from event_price counter
  full join ${tickets('ticket.event_id, ticket.price_id', 'ticket.admission')} found using (event_id, price_id)`;

const driftSql = `
  select * from (
    select 'event' as kind, event.id, null::uuid as "eventId", event.name, event.booked as counted, found.rows
    from event join (${eventCounters}) found on found.id = event.id
    union all
    select 'price', price.id, null, price.name, price.sold, found.rows from price join (${priceCounters}) found on found.id = price.id
    union all
    select 'event_price', price.id, event.id, concat(price.name, ' · ', event.name), found.sold, found.rows
    from (${eventPriceCounters}) found join price on price.id = found.price_id join event on event.id = found.event_id) as counters
  where counted <> rows order by kind, name, id, "eventId"`;

/** Compares the counters of scarce things with the rows that they count. */
@Injectable()
export class AuditService {
  constructor(private readonly db: TenantDb) {}

  /** What has drifted, at one moment: one statement sees counters and rows together. */
  drifts(): Promise<Drift[]> {
    return this.db.transaction((tx) => tx.query<Drift[]>(driftSql));
  }

  /** Sets every counter to what the rows say. @returns what had drifted */
  repair(): Promise<Drift[]> {
    const repaired = async (tx: Tx): Promise<Drift[]> => {
      // Nobody books or cancels meanwhile, and who has begun to is done: whoever locks a row of these tables is waited for.
      await tx.query('lock table event, price, event_price in exclusive mode');
      const before = await tx.query<Drift[]>(driftSql);
      await recount(tx);
      return before;
    };
    return retryOnDeadlock(() => this.db.transaction(repaired));
  }
}

/** Sets every counter to what the rows say, for who writes rows without booking them: an import, the demo. */
export async function recount(tx: Tx): Promise<void> {
  await tx.query(`update event set booked = found.rows from (${eventCounters}) found where found.id = event.id and booked <> found.rows`);
  await tx.query(`update price set sold = found.rows from (${priceCounters}) found where found.id = price.id and sold <> found.rows`);
  await tx.query(
    `insert into event_price (event_id, price_id, sold) select event_id, price_id, rows from (${eventPriceCounters}) found where sold <> rows
     on conflict (event_id, price_id) do update set sold = excluded.sold`,
  );
}
