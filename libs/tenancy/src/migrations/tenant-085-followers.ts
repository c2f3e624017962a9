import type { Migration } from './migration.js';

export const tenantFollowers: Migration = {
  version: 85,
  name: 'people who follow a venue by mail, and reminders',
  additive: true,
  sql: `
alter table configuration add column if not exists follow_by_mail boolean not null default true;
alter table configuration add column if not exists remind_guests boolean not null default false;

create table if not exists follower (
  id uuid primary key default gen_random_uuid(),
  email text storage plain not null,
  email_key text storage plain not null,
  language text storage plain,
  network text storage plain,
  mails smallint not null default 1,
  asked_at timestamptz not null default now(),
  confirmed_at timestamptz,
  -- Wants one mail, when the sale of tickets for this event begins; null: follows the venue.
  event_id uuid references event on delete cascade,
  told_at timestamptz,
  created_at timestamptz not null default now()
);
create unique index if not exists follower_person_idx on follower (email_key) where event_id is null;
create unique index if not exists follower_event_idx on follower (event_id, email_key) where event_id is not null;

-- One mail a day at most, with the dates that are new since the one before.
create table if not exists follower_mailing (
  id uuid primary key default gen_random_uuid(),
  day date not null,
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
create unique index if not exists follower_mailing_day_idx on follower_mailing (day);

-- Each event that was public once, when that was noticed, and on which day followers were told.
create table if not exists new_date (
  event_id uuid primary key references event on delete cascade,
  noticed_at timestamptz not null default now(),
  told_on date
);
insert into new_date (event_id, told_on) select id, current_date from event where published on conflict (event_id) do nothing;

-- The start of which a notice reminds guests.
alter table event_notice add column if not exists starts_at timestamptz;
create unique index if not exists event_notice_reminder_idx on event_notice (event_id, starts_at) where kind = 'reminder';

alter table mail add column if not exists follower_id uuid references follower on delete cascade;
alter table mail add column if not exists mailing_id uuid references follower_mailing on delete cascade;
create unique index if not exists mail_follower_idx on mail (follower_id, mailing_id);
alter table mail drop constraint if exists mail_subject_check;
alter table mail add constraint mail_subject_check
  check (num_nonnulls(reservation_id, membership_id, waiting_entry_id, follower_id) = case when kind = 'test' then 0 else 1 end);
`,
};
