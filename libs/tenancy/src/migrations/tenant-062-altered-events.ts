import type { Migration } from './migration.js';

export const tenantAlteredEvents: Migration = {
  version: 62,
  name: 'rescheduled, postponed and moved events',
  additive: true,
  sql: `
alter table event add column if not exists alteration text;
alter table event add column if not exists previous_starts_at timestamptz;
`,
};
