import { Injectable } from '@nestjs/common';
import type { Page } from '#kernel';
import { currentTenant, TenantDb, type Tx } from '#tenancy';
import type { ReservationStatus } from '../reservations/reservation-states.js';
import type { TicketStatus } from '../ticket-states.js';

/** A reservation as the first API shows it, straight from its statement: lists of tens of thousands are asked for whole. */
export interface ReservationRow {
  readonly id: string;
  readonly createdAt: Date;
  readonly email: string;
  readonly eventId: string;
  readonly status: ReservationStatus;
  readonly optionIds: readonly string[];
  readonly ticketIds: readonly string[];
  readonly paymentIds: readonly string[];
}

export interface TicketRow {
  readonly id: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly status: TicketStatus;
  readonly seat: string;
  readonly options: readonly { readonly name: string }[];
}

/** A list, or the part of it that was asked for, and how long it is as a whole. */
export interface Listed<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
}

const reservationSql = `
  select r.id, r.created_at as "createdAt", r.email, r.event_id as "eventId", r.status,
    array(select o.option_id from reservation_option o where o.reservation_id = r.id order by o.name) as "optionIds",
    array(select t.id from ticket t where t.reservation_id = r.id order by t.position, t.id) as "ticketIds",
    array(select p.id from payment p where p.reservation_id = r.id order by p.created_at, p.id) as "paymentIds"
  from reservation r`;

const ticketSql = `
  select t.id, t.first_name as "firstName", t.last_name as "lastName", t.status, t.seat, (
    select coalesce(json_agg(json_build_object('name', o.name) order by o.name), '[]') from reservation_option o
    where o.reservation_id = t.reservation_id) as options
  from ticket t`;

/** The moment a day begins on the clocks of $1: days run from 04:00 to 04:00, because evenings do not end at midnight. */
const dayBegins = (after: string): string =>
  `((date_trunc('day', (now() at time zone $1) - interval '4 hours') + interval '${after}') at time zone $1)`;

/** Valid and scanned tickets of events that begin in the current day, or began before it and end in it or later. */
const todaySql = `
  t.status in ('K', 'S') and exists (
    select 1 from event e where e.id = t.event_id and e.starts_at < ${dayBegins('28 hours')}
      and (e.starts_at >= ${dayBegins('4 hours')} or e.ends_at > ${dayBegins('4 hours')}))`;

/** Reservations and tickets for the lists of the first API, the newest first; one statement each, whatever the length. */
@Injectable()
export class LegacyBookings {
  constructor(private readonly db: TenantDb) {}

  reservations(page: Page | undefined): Promise<Listed<ReservationRow>> {
    const sql = `${reservationSql} order by r.created_at desc, r.id desc limit $1 offset $2`;
    return this.listed(page, async (tx) => ({
      rows: await tx.query<ReservationRow[]>(sql, bounds(page)),
      count: 'select count(*)::int as count from reservation',
      values: [],
    }));
  }

  async reservation(id: string): Promise<ReservationRow | undefined> {
    const [row] = await this.db.transaction((tx) =>
      tx.query<ReservationRow[]>(`${reservationSql} where r.id = $1`, [id]),
    );
    return row;
  }

  /** Of the current day. */
  ticketsOfToday(page: Page | undefined): Promise<Listed<TicketRow>> {
    const sql = `${ticketSql} where ${todaySql} order by t.created_at desc, t.id desc limit $2 offset $3`;
    const zone = currentTenant().timeZone;
    return this.listed(page, async (tx) => ({
      rows: await tx.query<TicketRow[]>(sql, [zone, ...bounds(page)]),
      count: `select count(*)::int as count from ticket t where ${todaySql}`,
      values: [zone],
    }));
  }

  async ticket(id: string): Promise<TicketRow | undefined> {
    const [row] = await this.db.transaction((tx) => tx.query<TicketRow[]>(`${ticketSql} where t.id = $1`, [id]));
    return row;
  }

  private listed<Row>(
    page: Page | undefined,
    ask: (tx: Tx) => Promise<{ rows: readonly Row[]; count: string; values: readonly string[] }>,
  ): Promise<Listed<Row>> {
    return this.db.transaction(async (tx) => {
      const { rows, count, values } = await ask(tx);
      if (!page) return { rows, total: rows.length };
      const [row] = await tx.query<{ count: number }[]>(count, [...values]);
      return { rows, total: row?.count ?? 0 };
    });
  }
}

function bounds(page: Page | undefined): [number | null, number] {
  return [page?.take ?? null, page?.skip ?? 0];
}
