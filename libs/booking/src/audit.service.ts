import { Injectable } from '@nestjs/common';
import { throughDeadlocks } from '#kernel';
import { TenantDb, type Tx } from '#tenancy';
import { countsSql } from './reservations/scarcity.js';

/** A counter that does not say what the rows say. */
export interface Drift {
  readonly kind: 'event' | 'price';
  readonly id: string;
  readonly name: string;
  /** What the counter says. */
  readonly counted: number;
  /** How many rows there are. */
  readonly rows: number;
}

const ticketsOf = (column: 'event_id' | 'price_id', owner: string): string =>
  `(select count(*)::int from ticket join reservation on reservation.id = ticket.reservation_id
     where ticket.${column} = ${owner}.id and ${countsSql})`;
const eventRows = ticketsOf('event_id', 'event');
const priceRows = `${ticketsOf('price_id', 'price')} + (select count(*)::int from membership
     where membership.price_id = price.id and membership.status <> 'cancelled' and membership.released_at is null)`;

/** Compares the counters of scarce things with the rows that they count. */
@Injectable()
export class Audit {
  constructor(private readonly db: TenantDb) {}

  /** What has drifted, at one moment: one statement sees counters and rows together. */
  drifts(): Promise<Drift[]> {
    return this.db.transaction((tx) =>
      tx.query<Drift[]>(
        `select * from (
           select 'event' as kind, id, name, booked as counted, ${eventRows} as rows from event
           union all select 'price', id, name, sold, ${priceRows} from price) as counters
         where counted <> rows order by kind, name, id`,
      ),
    );
  }

  /** Sets every counter to what the rows say. @returns what had drifted */
  repair(): Promise<Drift[]> {
    const repaired = async (tx: Tx): Promise<Drift[]> => {
      // Nobody books or cancels meanwhile, and who has begun to is done: whoever locks a row of these tables is waited for.
      await tx.query('lock table event, price in exclusive mode');
      const before = await tx.query<Drift[]>(
        `select 'event' as kind, id, name, booked as counted, ${eventRows} as rows from event where booked <> ${eventRows}
         union all select 'price', id, name, sold, ${priceRows} from price where sold <> ${priceRows}`,
      );
      await recount(tx);
      return before;
    };
    return throughDeadlocks(() => this.db.transaction(repaired));
  }
}

/** Sets every counter to what the rows say, for who writes rows without booking them: an import, the demo. */
export async function recount(tx: Tx): Promise<void> {
  await tx.query(`update event set booked = ${eventRows} where booked <> ${eventRows}`);
  await tx.query(`update price set sold = ${priceRows} where sold <> ${priceRows}`);
}
