import type { Migration } from './migration.js';

export const tenantBooking: Migration = {
  version: 3,
  name: 'booking',
  sql: `
create table if not exists reservation (
  id uuid default gen_random_uuid() not null,
  event_id uuid not null,
  email text storage plain not null,
  first_name text storage plain default '' not null,
  last_name text storage plain default '' not null,
  status text storage plain default 'R' not null,
  language text storage plain,
  created_at timestamptz default now() not null,
  constraint reservation_pkey primary key (id),
  constraint reservation_event_id_fkey foreign key (event_id) references event (id),
  constraint reservation_status_check check (status in ('C', 'R', 'U', 'F', 'FA', 'P', 'PE', 'PN', 'V'))
);
create index if not exists reservation_created_at_idx on reservation (created_at);

-- No index contains the status or the scan columns, so that a scan is a HOT update, which changes no index.
create table if not exists ticket (
  id uuid default gen_random_uuid() not null,
  reservation_id uuid not null,
  event_id uuid not null,
  price_id uuid not null,
  amount numeric(10, 2) storage plain default 0 not null,
  first_name text storage plain default '' not null,
  last_name text storage plain default '' not null,
  seat text storage plain default 'L' not null,
  status text storage plain default 'C' not null,
  signing_key_id smallint not null,
  scanned_at timestamptz,
  scanned_by uuid,
  created_at timestamptz default now() not null,
  constraint ticket_pkey primary key (id),
  constraint ticket_reservation_id_fkey foreign key (reservation_id) references reservation (id) on delete cascade,
  constraint ticket_event_id_fkey foreign key (event_id) references event (id),
  constraint ticket_price_id_fkey foreign key (price_id) references price (id),
  constraint ticket_signing_key_id_fkey foreign key (signing_key_id) references signing_key (id),
  constraint ticket_status_check check (status in ('C', 'N', 'K', 'S', 'R')),
  constraint ticket_scanned_check check ((status = 'S') = (scanned_at is not null))
) with (fillfactor = 80);
create index if not exists ticket_reservation_id_idx on ticket (reservation_id);
create index if not exists ticket_event_id_idx on ticket (event_id);
`,
};
