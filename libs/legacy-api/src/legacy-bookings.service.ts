import type { ReservationStatus, TicketStatus } from '#tickets';
import { Inject, Injectable } from '@nestjs/common';
import { eventEndSql, type AssumedDuration } from '#catalogue';
import { partsOf, type Page } from '#http';
import { inOrderOf, SETTINGS, venueDayStartSql, type Settings } from '#kernel';
import { currentTenant, TenantDb, type Tx } from '#tenancy';

/** A reservation as the legacy API shows it. Plain rows instead of entities, because clients request lists of tens of thousands at once. */
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

const reservationSql = `
  select r.id, r.created_at as "createdAt", r.email, r.event_id as "eventId", r.status,
    array(select o.option_id from reservation_option o where o.reservation_id = r.id order by o.name) as "optionIds",
    array(select t.id from ticket t where t.reservation_id = r.id order by t.position, t.id) as "ticketIds",
    array(select p.id from payment p where p.reservation_id = r.id and p.kind = 'payment' order by p.created_at, p.id) as "paymentIds"
  from reservation r`;

const ticketSql = `
  select t.id, t.first_name as "firstName", t.last_name as "lastName", t.status, t.seat, (
    select coalesce(json_agg(json_build_object('name', o.name) order by o.name), '[]') from reservation_option o
    where o.reservation_id = t.reservation_id) as options
  from ticket t`;

/** SQL: whether a ticket is more than what a buyer is choosing. */
const isBookedSql = 'exists (select 1 from reservation r where r.id = t.reservation_id and not r.is_draft)';

/**
 * SQL: valid and scanned admission tickets of events that start during the current day in time zone $1, or started earlier and end during
 * it or later.
 */
const todaySql = (assumed: AssumedDuration): string => `
  t.admission and t.status in ('K', 'S') and exists (
    select 1 from event e where e.id = t.event_id and e.starts_at < ${venueDayStartSql('$1', 1)}
      and (e.starts_at >= ${venueDayStartSql('$1')} or ${eventEndSql('e', assumed)} > ${venueDayStartSql('$1')}))`;

/** Reservations and tickets for the lists of the legacy API, newest first. */
@Injectable()
export class LegacyBookingsService {
  private readonly today: string;

  constructor(
    private readonly db: TenantDb,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.today = todaySql(settings);
  }

  /**
   * Passes reservations to `take` in batches, so that other requests run in between.
   * @returns the total number, over all pages
   */
  reservations(page: Page | undefined, take: (some: readonly ReservationRow[]) => void): Promise<number> {
    return this.db.transaction(async (tx) => {
      const { ids, total } = await idsOf(tx, 'reservation r', 'not r.is_draft', [], page);
      for (const some of partsOf(ids))
        take(inOrderOf(some, await tx.query<ReservationRow[]>(`${reservationSql} where r.id = any($1)`, [some])));
      return total;
    });
  }

  /** @returns undefined when it does not exist */
  async reservation(id: string): Promise<ReservationRow | undefined> {
    const [row] = await this.db.transaction((tx) =>
      tx.query<ReservationRow[]>(`${reservationSql} where r.id = $1 and not r.is_draft`, [id]),
    );
    return row;
  }

  /** Passes the tickets of the current day to `take` in batches. @returns the total number, over all pages */
  ticketsOfToday(page: Page | undefined, take: (some: readonly TicketRow[]) => void): Promise<number> {
    return this.db.transaction(async (tx) => {
      const { ids, total } = await idsOf(tx, 'ticket t', this.today, [currentTenant().timeZone], page);
      for (const some of partsOf(ids)) take(inOrderOf(some, await tx.query<TicketRow[]>(`${ticketSql} where t.id = any($1)`, [some])));
      return total;
    });
  }

  /** @returns undefined when it does not exist */
  async ticket(id: string): Promise<TicketRow | undefined> {
    const [row] = await this.db.transaction((tx) => tx.query<TicketRow[]>(`${ticketSql} where t.id = $1 and ${isBookedSql}`, [id]));
    return row;
  }
}

/** The ids of a list or of one page, newest first, and the total number. @param table name and alias */
async function idsOf(
  tx: Tx,
  table: string,
  condition: string,
  values: readonly string[],
  page: Page | undefined,
): Promise<{ ids: string[]; total: number }> {
  const alias = table.split(' ')[1];
  const from = `from ${table} where ${condition}`;
  const rows = await tx.query<{ id: string }[]>(
    `select ${alias}.id ${from} order by ${alias}.created_at desc, ${alias}.id desc
     limit $${values.length + 1} offset $${values.length + 2}`,
    [...values, page?.take ?? null, page?.skip ?? 0],
  );
  const ids = rows.map(({ id }) => id);
  if (!page) return { ids, total: ids.length };
  const [row] = await tx.query<{ count: number }[]>(`select count(*)::int as count ${from}`, [...values]);
  return { ids, total: row?.count ?? 0 };
}
