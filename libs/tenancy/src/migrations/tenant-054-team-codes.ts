import type { Migration } from './migration.js';
import { clockId } from './clock-id.js';

export const tenantTeamCodes: Migration = {
  version: 54,
  name: 'team codes, contact and quarantine of scanning devices',
  additive: true,
  sql: `
-- One code that pairs several phones. Staff print it again, so it is stored encrypted; its first characters find it.
create table if not exists team_code (
  id uuid primary key default gen_random_uuid(),
  name text storage plain not null,
  selector text storage plain not null,
  sealed_code bytea storage plain not null,
  places smallint not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  event_id uuid,
  gate_id uuid,
  gate_ids uuid[] storage plain,
  role text storage plain not null default 'scan',
  opens_minutes_before integer not null,
  closes_minutes_after integer not null,
  event_minutes integer not null,
  created_at timestamptz not null default now(),
  constraint team_code_name_check check (name <> ''),
  constraint team_code_places_check check (places between 1 and 500),
  constraint team_code_role_check check (role in ('scan', 'search', 'supervisor', 'kiosk')),
  constraint team_code_event_id_fkey foreign key (event_id) references event (id) on delete cascade,
  constraint team_code_gate_id_fkey foreign key (gate_id) references gate (id) on delete set null
);

alter table scanning_device add column if not exists event_id uuid;
alter table scanning_device add column if not exists gate_id uuid;
alter table scanning_device add column if not exists locked_at timestamptz;
alter table scanning_device add column if not exists wiped_at timestamptz;
-- No foreign key: a device whose code was deleted with its event stays closed.
alter table scanning_device add column if not exists team_code_id uuid;
alter table scanning_device add column if not exists installation_hash bytea storage plain;
alter table scanning_device drop constraint if exists scanning_device_event_id_fkey;
alter table scanning_device add constraint scanning_device_event_id_fkey foreign key (event_id) references event (id) on delete set null;
alter table scanning_device drop constraint if exists scanning_device_gate_id_fkey;
alter table scanning_device add constraint scanning_device_gate_id_fkey foreign key (gate_id) references gate (id) on delete set null;
-- A phone has one device of a team code.
create unique index if not exists scanning_device_installation on scanning_device (team_code_id, installation_hash);

-- What a device said last about itself; a table of its own, because scans read the device.
create table if not exists device_contact (
  device_id uuid primary key,
  seen_at timestamptz not null,
  app_version text storage plain,
  battery smallint,
  charging boolean,
  unsent integer,
  clock_offset_ms bigint,
  clock_error_ms integer,
  event_id uuid,
  gate_id uuid,
  position text storage plain,
  network text storage plain,
  constraint device_contact_device_id_fkey foreign key (device_id) references scanning_device (id) on delete cascade
);

-- Keys that phones got: what they use after the key was revoked, so that lines of a lost phone still arrive.
create table if not exists device_key (
  key_id text storage plain primary key,
  device_id uuid not null,
  quarantine_hash bytea storage plain not null,
  wiped_at timestamptz,
  created_at timestamptz not null default now(),
  constraint device_key_device_id_fkey foreign key (device_id) references scanning_device (id) on delete cascade
);

-- Lines of a journal that a device could not send before its key was revoked. They change nothing.
create table if not exists quarantine_line (
  id bigint not null default ${clockId},
  received_at timestamptz not null default now(),
  device_id uuid not null,
  line text storage plain not null,
  line_hash bytea storage plain not null,
  constraint quarantine_line_pkey primary key (device_id, line_hash)
);
`,
};
