import type { Migration } from './migration.js';

export const tenantEventFacts: Migration = {
  version: 81,
  name: 'practical facts of events',
  additive: true,
  sql: `
alter table event add column if not exists doors_at timestamptz;
alter table event add column if not exists duration_minutes integer;
alter table event drop constraint if exists event_duration_minutes_check;
alter table event add constraint event_duration_minutes_check check (duration_minutes > 0);
alter table event add column if not exists age_range text;
alter table event add column if not exists access text;

-- Older programs go on reading both in the details. A later migration removes them there.
update event set doors_at = to_timestamp(extract(epoch from starts_at at time zone 'UTC') - 60 * (details ->> 'doorsMinutesBefore')::int)
  where doors_at is null and details ->> 'doorsMinutesBefore' is not null;
update event set age_range = details ->> 'ageRange' where age_range is null and details ->> 'ageRange' is not null;
`,
};
