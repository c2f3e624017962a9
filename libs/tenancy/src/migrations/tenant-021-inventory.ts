import type { Migration } from './migration.js';

export const tenantInventory: Migration = {
  version: 21,
  name: 'inventory',
  sql: `
-- Only products of kinds B and F admit. The lock of the new columns blocks bookings until the counters are rewritten.
alter table ticket add column if not exists admission boolean default true not null;
alter table ticket add column if not exists fulfilled_at timestamptz;
alter table ticket add column if not exists fulfilled_by uuid;
alter table ticket add column if not exists fulfilled_by_name text storage plain;
update ticket set admission = false from price join product on product.id = price.product_id
  where price.id = ticket.price_id and product.category in ('P', 'R', 'T', 'M') and ticket.admission;
-- Scanned goods count as handed out.
update ticket set status = 'K', fulfilled_at = scanned_at, fulfilled_by = scanned_by, scanned_at = null, scanned_by = null,
  fulfilled_by_name = (select name from scanning_device where scanning_device.id = ticket.scanned_by)
  where status = 'S' and not admission;
alter table ticket drop constraint if exists ticket_fulfilled_check;
alter table ticket add constraint ticket_fulfilled_check check (fulfilled_at is null or (status = 'K' and not admission));

alter table scan_log drop constraint if exists scan_log_action_check;
alter table scan_log add constraint scan_log_action_check check (action in ('check', 'scan', 'undo', 'fulfil', 'undo_fulfil'));

-- The stock of admission is counted per event. The statement is safe to repeat.
create table if not exists event_price (
  event_id uuid not null,
  price_id uuid not null,
  sold integer default 0 not null,
  constraint event_price_pkey primary key (event_id, price_id),
  constraint event_price_event_id_fkey foreign key (event_id) references event (id) on delete cascade,
  constraint event_price_price_id_fkey foreign key (price_id) references price (id) on delete cascade,
  constraint event_price_sold_check check (sold >= 0)
) with (fillfactor = 80);

insert into event_price (event_id, price_id, sold)
  select ticket.event_id, ticket.price_id,
    count(*) filter (where ticket.status <> 'R' and reservation.released_at is null)::int
  from ticket join reservation on reservation.id = ticket.reservation_id where ticket.admission group by 1, 2
  on conflict (event_id, price_id) do update set sold = excluded.sold;
update price set sold = live.count from (
  select price.id, (coalesce(goods.count, 0) + coalesce(memberships.count, 0))::int as count from price
  left join (
    select ticket.price_id, count(*) from ticket join reservation on reservation.id = ticket.reservation_id
    where not ticket.admission and ticket.status <> 'R' and reservation.released_at is null group by 1) goods on goods.price_id = price.id
  left join (
    select price_id, count(*) from membership where status <> 'cancelled' and released_at is null group by 1) memberships
    on memberships.price_id = price.id) live
  where live.id = price.id and price.sold <> live.count;
update event set booked = live.count from (
  select event.id, coalesce(tickets.count, 0)::int as count from event
  left join (
    select ticket.event_id, count(*) from ticket join reservation on reservation.id = ticket.reservation_id
    where ticket.admission and ticket.status <> 'R' and reservation.released_at is null group by 1) tickets
    on tickets.event_id = event.id) live
  where live.id = event.id and event.booked <> live.count;

-- Memberships are sold without an event; linked to an event they could not be booked.
delete from event_product using product where product.id = event_product.product_id and product.category = 'A';
-- Only memberships are recorded on cashless cards.
update product set send_to_cashless = false, updated_at = now() where send_to_cashless and category <> 'A';
`,
};
