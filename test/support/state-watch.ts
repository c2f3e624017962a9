import { reservationTransitions, ticketTransitions } from '#tickets';
import type { TenantIdentity } from '#tenancy';
import type { TestDatabase } from './test-database.js';

/** An invalid state of a watched tenant. */
export type Fault = Readonly<Record<string, unknown>>;

const legal: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  reservation: { ...reservationTransitions, new: ['R', 'F', 'FA', 'V'] },
  // The completion of a draft gives its tickets the state in which a new reservation begins.
  ticket: { ...ticketTransitions, C: [...ticketTransitions.C, 'K'], new: ['C', 'N', 'K'] },
};

/**
 * Checks the bookings of a tenant with triggers in PostgreSQL, in a separate schema: every change of a state, also within a transaction,
 * and at each commit whether the changed counters match the rows.
 */
export async function watchStates(database: TestDatabase, { schemaName }: TenantIdentity): Promise<() => Promise<Fault[]>> {
  const tenant = `"${schemaName}"`;
  await database.query(`create schema watch`);
  await database.query(`create table watch.change (kind text, id uuid, before text, after text, at timestamptz default clock_timestamp())`);
  await database.query(`create table watch.fault (kind text, id uuid, counted int, rows int, most int)`);
  await database.query(`
    create function watch.state() returns trigger language plpgsql as $$ begin
      if tg_op = 'INSERT' then insert into watch.change values (tg_table_name, new.id, 'new', new.status);
      elsif new.status <> old.status then insert into watch.change values (tg_table_name, new.id, old.status, new.status);
      end if;
      return null;
    end $$`);
  // The transaction holds the lock of the event or price, so at its commit no other transaction changes the counted rows.
  await database.query(`
    create function watch.counter() returns trigger language plpgsql as $$ begin
      insert into watch.fault
        select tg_table_name, found.* from (
          select id, booked as counted, (select count(*) from ${tenant}.ticket t join ${tenant}.reservation r on r.id = t.reservation_id
            where t.event_id = e.id and t.admission and t.status <> 'R' and r.released_at is null)::int as rows, capacity as most
          from ${tenant}.event e where tg_table_name = 'event' and e.id = (to_jsonb(new) ->> 'id')::uuid
          union all select id, sold, (select count(*) from ${tenant}.ticket t join ${tenant}.reservation r on r.id = t.reservation_id
            where t.price_id = p.id and not t.admission and t.status <> 'R' and r.released_at is null)::int, coalesce(stock, sold)
          from ${tenant}.price p where tg_table_name = 'price' and p.id = (to_jsonb(new) ->> 'id')::uuid
          union all select price_id, c.sold, (select count(*) from ${tenant}.ticket t
          join ${tenant}.reservation r on r.id = t.reservation_id
            where t.event_id = c.event_id and t.price_id = c.price_id and t.admission and t.status <> 'R' and r.released_at is null)::int,
            coalesce(p.stock, c.sold)
          from ${tenant}.event_price c join ${tenant}.price p on p.id = c.price_id where tg_table_name = 'event_price'
            and c.event_id = (to_jsonb(new) ->> 'event_id')::uuid and c.price_id = (to_jsonb(new) ->> 'price_id')::uuid) found
        where counted <> rows or counted > most;
      return null;
    end $$`);
  for (const table of ['reservation', 'ticket'])
    await database.query(`create trigger watch after insert or update on ${tenant}.${table} for each row execute function watch.state()`);
  for (const table of ['event', 'price', 'event_price'])
    await database.query(
      `create constraint trigger watch after insert or update on ${tenant}.${table} deferrable initially deferred for each row
       execute function watch.counter()`,
    );
  return async () => {
    const changes = await database.query<{ kind: string; id: string; before: string; after: string }>(
      'select kind, id, before, after from watch.change order by at',
    );
    const faults: Fault[] = changes.filter(({ kind, before, after }) => !legal[kind]?.[before]?.includes(after));
    faults.push(...(await database.query('select * from watch.fault')));
    faults.push(...(await database.query(impossible(tenant))));
    await database.query('truncate watch.change, watch.fault');
    return faults;
  };
}

/** SQL that finds invalid rows. */
function impossible(tenant: string): string {
  const owned = `${tenant}.ticket t join ${tenant}.reservation r on r.id = t.reservation_id`;
  const valid = `('FA', 'P', 'PE', 'PN', 'V')`;
  return `
    select 'valid ticket of a cancelled reservation' as fault, t.id::text as what from ${owned} where r.status = 'C' and t.status <> 'R'
    union all select 'ticket that is not valid of a valid reservation', t.id::text from ${owned}
      where r.status in ${valid} and t.status not in ('K', 'S', 'R')
    union all select 'valid ticket of a hold', t.id::text from ${owned} where r.status in ('R', 'U', 'F') and t.status in ('K', 'S')
    union all select 'reservation without a ticket', r.id::text from ${tenant}.reservation r
      where r.status <> 'C' and not exists (select 1 from ${tenant}.ticket t where t.reservation_id = r.id and t.status <> 'R')
    union all select 'more than the maximum of the event', r.email_key from ${owned} join ${tenant}.event e on e.id = r.event_id
      where r.status in ${valid} and t.status <> 'R' and t.admission group by e.id, r.email_key having count(*) > e.max_per_user
    union all select 'more than the maximum of the price', r.email_key from ${owned} join ${tenant}.price p on p.id = t.price_id
      where r.status in ${valid} and t.status <> 'R' group by p.id, r.event_id, r.email_key having count(*) > p.max_per_user`;
}
