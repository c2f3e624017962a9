import type { Migration } from './migration.js';

export const tenantWaitingList: Migration = {
  version: 40,
  name: 'waiting list',
  additive: true,
  sql: `
create table if not exists waiting_entry (
  id uuid primary key default gen_random_uuid(),
  event_id uuid not null,
  price_id uuid not null,
  email text storage plain not null,
  email_key text storage plain not null,
  language text storage plain,
  quantity smallint not null,
  status text storage plain not null default 'unconfirmed',
  network text storage plain,
  mails smallint not null default 1,
  asked_at timestamptz not null default now(),
  confirmed_at timestamptz,
  reservation_id uuid,
  offered_until timestamptz,
  ended_at timestamptz,
  created_at timestamptz not null default now(),
  constraint waiting_entry_status_check
    check (status in ('unconfirmed', 'waiting', 'offered', 'booked', 'expired', 'left', 'removed', 'over')),
  constraint waiting_entry_quantity_check check (quantity between 1 and 100),
  constraint waiting_entry_event_id_fkey foreign key (event_id) references event (id) on delete cascade,
  constraint waiting_entry_price_id_fkey foreign key (price_id) references price (id) on delete cascade,
  constraint waiting_entry_reservation_id_fkey foreign key (reservation_id) references reservation (id) on delete set null
);
-- One open entry of a person for an event. Every booking asks whether somebody waits.
create unique index if not exists waiting_entry_person_idx on waiting_entry (event_id, email_key) where ended_at is null;
alter table mail add column if not exists waiting_entry_id uuid;
alter table mail drop constraint if exists mail_waiting_entry_id_fkey;
alter table mail add constraint mail_waiting_entry_id_fkey foreign key (waiting_entry_id) references waiting_entry (id) on delete cascade;
alter table mail drop constraint if exists mail_subject_check;
alter table mail add constraint mail_subject_check check (num_nonnulls(reservation_id, membership_id, waiting_entry_id) = 1);
-- The kinds of mails are a type of the program: a list here would have to change with each new one.
alter table mail drop constraint if exists mail_kind_check;
create index if not exists mail_waiting_entry_id_idx on mail (waiting_entry_id);
`,
};
