import { catchUpOrders, earlierLineSql, orderEarlierReservations } from '#orders';
import { retryOnDeadlock } from '#kernel';
import { ScheduledTasks, TenantDb, type Tx } from '#tenancy';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { soldVatRateSql, ticketVatSql } from '../amounts/vat.sql.js';

/** Reservations of one transaction. */
const step = 500;

const ticketSql = { vatRate: soldVatRateSql('ticket'), vat: ticketVatSql };

/** Writes the orders of reservations that were made before orders were written, imported, or made by an older program during a rollout. */
@Injectable()
export class EarlierOrdersService implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly tasks: ScheduledTasks,
  ) {}

  onModuleInit(): void {
    this.tasks.add('write orders of earlier reservations', () => this.run());
  }

  /** Writes those of the current tenant, in small transactions. */
  async run(): Promise<void> {
    await retryOnDeadlock(() => this.db.transaction((tx) => catchUpOrders(tx, (ids) => forgetLinesOf(tx, ids))));
    while ((await retryOnDeadlock(() => this.db.transaction((tx) => orderSome(tx)))) === step);
  }
}

async function forgetLinesOf(tx: Tx, reservationIds: readonly string[]): Promise<void> {
  await tx.query('update ticket set line_id = null where reservation_id = any($1)', [reservationIds]);
}

/** @returns the number of reservations whose orders were written */
async function orderSome(tx: Tx): Promise<number> {
  const rows = await tx.query<{ id: string }[]>(
    `select id from reservation where id in (select distinct reservation_id from ticket where line_id is null order by 1 limit $1)
     order by id for no key update`,
    [step],
  );
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return 0;
  await orderEarlierReservations(tx, ids, ticketSql);
  await tx.query(
    `update ticket set line_id = ${earlierLineSql(ticketSql)} from price
     where price.id = ticket.price_id and ticket.reservation_id = any($1) and ticket.line_id is null`,
    [ids],
  );
  return ids.length;
}
