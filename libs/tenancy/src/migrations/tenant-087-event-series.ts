import type { Migration } from './migration.js';

export const tenantEventSeries: Migration = {
  version: 87,
  name: 'series of events',
  additive: true,
  sql: `
create table if not exists event_series (
  id uuid primary key default gen_random_uuid(),
  name text storage plain not null,
  slug text storage plain not null unique,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
alter table event add column if not exists series_id uuid references event_series (id) on delete set null;
create index if not exists event_series_id_idx on event (series_id, starts_at) where series_id is not null;
`,
};
