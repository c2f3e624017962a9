import type { Migration } from './migration.js';

export const tenantScanning: Migration = {
  version: 4,
  name: 'scanning',
  sql: `
create table if not exists scanning_device (
  id uuid default gen_random_uuid() not null,
  name text storage plain not null,
  pairing_token_hash bytea storage plain,
  pairing_expires_at timestamptz,
  claimed_at timestamptz,
  key_id text storage plain,
  archived_at timestamptz,
  created_at timestamptz default now() not null,
  constraint scanning_device_pkey primary key (id),
  constraint scanning_device_name_check check (name <> '')
);

create table if not exists scan_log (
  id bigint generated always as identity not null,
  recorded_at timestamptz default now() not null,
  action text not null,
  outcome text not null,
  device_id uuid,
  user_id uuid,
  ticket_id uuid,
  event_id uuid,
  scan_id uuid,
  undoes bigint,
  device_time timestamptz,
  reason text,
  request_hash bytea,
  facts json,
  constraint scan_log_pkey primary key (id),
  constraint scan_log_action_check check (action in ('check', 'scan', 'undo')),
  constraint scan_log_actor_check check (device_id is not null or user_id is not null)
);
-- A device's attempt id is unique per kind of attempt, so that a repeated request finds its first answer.
create unique index if not exists scan_log_attempt on scan_log (device_id, action, scan_id) where scan_id is not null;
-- A scan can be undone once.
create unique index if not exists scan_log_undoes on scan_log (undoes) where undoes is not null;
create index if not exists scan_log_ticket_id_idx on scan_log (ticket_id);
create or replace trigger scan_log_append_only before update or delete or truncate on scan_log
  for each statement execute function shared.refuse_change();
`,
};
