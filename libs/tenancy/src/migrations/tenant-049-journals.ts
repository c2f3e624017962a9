import type { Migration } from './migration.js';
import { clockId } from './clock-id.js';

export const tenantJournals: Migration = {
  version: 49,
  name: 'journals of scanning devices',
  additive: true,
  sql: `
-- What devices did on their own, as they wrote it, and the answer that each line got.
create table if not exists scan_line (
  id bigint primary key default ${clockId},
  recorded_at timestamptz not null default now(),
  device_id uuid not null,
  scan_id uuid not null,
  sequence bigint not null,
  line text not null,
  line_hash bytea not null,
  chained boolean,
  ticket_id uuid,
  event_id uuid,
  gate_id uuid,
  direction text not null,
  verdict text not null,
  mode text not null,
  position text,
  device_time timestamptz not null,
  happened_at timestamptz not null,
  clock_error_ms integer not null,
  state text not null,
  result json not null,
  constraint scan_line_device_id_scan_id_key unique (device_id, scan_id)
);

-- Tickets that came in twice, each pair once: by corrected time the later one is the duplicate.
create table if not exists scan_conflict (
  id uuid primary key default gen_random_uuid(),
  found_at timestamptz not null default now(),
  ticket_id uuid not null,
  event_id uuid not null,
  line_device_id uuid not null,
  line_scan_id uuid not null,
  first_device_id uuid,
  first_gate_id uuid,
  first_at timestamptz not null,
  first_error_ms integer not null,
  later_device_id uuid,
  later_gate_id uuid,
  later_at timestamptz not null,
  later_error_ms integer not null,
  constraint scan_conflict_line_device_id_line_scan_id_key unique (line_device_id, line_scan_id)
);
`,
};
