import type { Migration } from './migration.js';

export const tenantReservations: Migration = {
  version: 9,
  name: 'reservations',
  sql: `
-- Counters of limited resources. Only booking writes them; "guichet audit" compares them with the rows.
alter table event add column if not exists booked integer default 0 not null;
alter table event drop constraint if exists event_booked_check;
alter table event add constraint event_booked_check check (booked >= 0);
alter table price add column if not exists sold integer default 0 not null;
alter table price drop constraint if exists price_sold_check;
alter table price add constraint price_sold_check check (sold >= 0);

alter table ticket add column if not exists position smallint default 0 not null;

alter table reservation add column if not exists email_key text storage plain default '' not null;
alter table reservation add column if not exists amount numeric(10, 2) storage plain default 0 not null;
alter table reservation add column if not exists origin text storage plain default 'api' not null;
alter table reservation add column if not exists expires_at timestamptz;
alter table reservation add column if not exists released_at timestamptz;
alter table reservation add column if not exists confirmed_at timestamptz;
alter table reservation add column if not exists cancelled_at timestamptz;
alter table reservation add column if not exists cancel_reason text storage plain;
update reservation set email_key = lower(email) where email_key = '';
update reservation set expires_at = created_at + interval '15 minutes' where status in ('R', 'U', 'F') and expires_at is null;
update reservation set amount = (select coalesce(sum(t.amount), 0) from ticket t where t.reservation_id = reservation.id)
  where amount = 0 and exists (select 1 from ticket t where t.reservation_id = reservation.id and t.amount > 0);
update reservation set cancelled_at = created_at, cancel_reason = 'staff' where status = 'C' and cancel_reason is null;
alter table reservation drop constraint if exists reservation_origin_check;
alter table reservation add constraint reservation_origin_check check (origin in ('api', 'panel', 'page'));
alter table reservation drop constraint if exists reservation_hold_check;
alter table reservation add constraint reservation_hold_check check ((status in ('R', 'U', 'F')) = (expires_at is not null));
alter table reservation drop constraint if exists reservation_released_check;
alter table reservation add constraint reservation_released_check check (released_at is null or status in ('R', 'U', 'F', 'C'));
alter table reservation drop constraint if exists reservation_cancelled_check;
alter table reservation add constraint reservation_cancelled_check check ((status = 'C') = (cancel_reason is not null));
alter table reservation drop constraint if exists reservation_cancel_reason_check;
alter table reservation add constraint reservation_cancel_reason_check
  check (cancel_reason in ('holder', 'staff', 'event', 'expired', 'payment_failed', 'too_late'));
create index if not exists reservation_event_id_email_key_idx on reservation (event_id, email_key);
create index if not exists reservation_held_idx on reservation (expires_at) where expires_at is not null and released_at is null;

update event set booked = live.count from (
  select t.event_id, count(*)::int as count from ticket t join reservation r on r.id = t.reservation_id
  where t.status <> 'R' and r.released_at is null group by t.event_id) live
  where live.event_id = event.id and event.booked <> live.count;
update price set sold = live.count from (
  select t.price_id, count(*)::int as count from ticket t join reservation r on r.id = t.reservation_id
  where t.status <> 'R' and r.released_at is null group by t.price_id) live
  where live.price_id = price.id and price.sold < live.count;

-- The name of a chosen option is kept when the option is deleted.
create table if not exists reservation_option (
  reservation_id uuid not null,
  option_id uuid not null,
  name text storage plain not null,
  constraint reservation_option_pkey primary key (reservation_id, option_id),
  constraint reservation_option_reservation_id_fkey foreign key (reservation_id) references reservation (id) on delete cascade
);

create table if not exists membership (
  id uuid default gen_random_uuid() not null,
  product_id uuid not null,
  price_id uuid not null,
  email text storage plain not null,
  email_key text storage plain not null,
  first_name text storage plain default '' not null,
  last_name text storage plain default '' not null,
  language text storage plain,
  status text storage plain default 'active' not null,
  amount numeric(10, 2) storage plain default 0 not null,
  valid_from timestamptz default now() not null,
  valid_until timestamptz,
  signing_key_id smallint not null,
  expires_at timestamptz,
  released_at timestamptz,
  sequence integer default 0 not null,
  created_at timestamptz default now() not null,
  constraint membership_pkey primary key (id),
  constraint membership_product_id_fkey foreign key (product_id) references product (id),
  constraint membership_price_id_fkey foreign key (price_id) references price (id),
  constraint membership_signing_key_id_fkey foreign key (signing_key_id) references signing_key (id),
  constraint membership_status_check check (status in ('pending', 'active', 'cancelled')),
  constraint membership_hold_check check ((status = 'pending') = (expires_at is not null)),
  constraint membership_released_check check (released_at is null or status <> 'active'),
  constraint membership_validity_check check (valid_until > valid_from)
);

create table if not exists payment (
  id uuid default gen_random_uuid() not null,
  reservation_id uuid,
  membership_id uuid,
  provider text not null,
  method text not null,
  status text default 'pending' not null,
  amount numeric(10, 2) not null,
  currency text default 'EUR' not null,
  reference text,
  provider_payment text,
  checkout_url text,
  refund_reference text,
  note text,
  created_at timestamptz default now() not null,
  paid_at timestamptz,
  refunded_at timestamptz,
  constraint payment_pkey primary key (id),
  constraint payment_provider_reference_key unique (provider, reference),
  constraint payment_reservation_id_fkey foreign key (reservation_id) references reservation (id) on delete cascade,
  constraint payment_membership_id_fkey foreign key (membership_id) references membership (id) on delete cascade,
  constraint payment_subject_check check ((reservation_id is null) <> (membership_id is null)),
  constraint payment_provider_check check (provider in ('venue', 'stripe')),
  constraint payment_method_check check (method in ('cash', 'card', 'offered', 'online')),
  constraint payment_status_check check (status in ('pending', 'paid', 'failed', 'refund_due', 'refunded')),
  constraint payment_amount_check check (amount >= 0)
);
create index if not exists payment_reservation_id_idx on payment (reservation_id);
create index if not exists payment_membership_id_idx on payment (membership_id);

-- Events received from a provider; each is stored once.
create table if not exists payment_event (
  provider text storage plain not null,
  id text storage plain not null,
  type text storage plain not null,
  payment_id uuid,
  received_at timestamptz default now() not null,
  constraint payment_event_pkey primary key (provider, id)
);

create table if not exists verified_email (
  email_key text storage plain not null,
  verified_at timestamptz default now() not null,
  constraint verified_email_pkey primary key (email_key)
);

create table if not exists mail (
  id uuid default gen_random_uuid() not null,
  kind text not null,
  reservation_id uuid,
  membership_id uuid,
  recipient text not null,
  status text default 'waiting' not null,
  attempts integer default 0 not null,
  answer text,
  note text,
  created_at timestamptz default now() not null,
  sent_at timestamptz,
  constraint mail_pkey primary key (id),
  constraint mail_reservation_id_fkey foreign key (reservation_id) references reservation (id) on delete cascade,
  constraint mail_membership_id_fkey foreign key (membership_id) references membership (id) on delete cascade,
  constraint mail_kind_check
    check (kind in ('confirm-email', 'tickets', 'reservation-cancelled', 'event-cancelled', 'refunded', 'membership')),
  constraint mail_status_check check (status in ('waiting', 'sent', 'refused', 'given_up', 'obsolete')),
  constraint mail_subject_check check ((reservation_id is null) <> (membership_id is null))
);
create index if not exists mail_reservation_id_idx on mail (reservation_id);
create index if not exists mail_created_at_idx on mail (created_at);
`,
};
