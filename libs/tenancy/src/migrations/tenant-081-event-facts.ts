import type { Migration } from './migration.js';

export const tenantEventFacts: Migration = {
  version: 81,
  name: 'practical facts of events',
  additive: true,
  sql: `
alter table event add column if not exists doors_at timestamptz;

-- Older programs go on reading it in the details. A later migration removes it there.
update event set doors_at = starts_at - make_interval(mins => (details ->> 'doorsMinutesBefore')::int)
  where doors_at is null and details ->> 'doorsMinutesBefore' is not null;
`,
};
