import type { Migration } from './migration.js';

export const sharedAlteredEvents: Migration = {
  version: 18,
  name: 'rescheduled, postponed and moved events',
  additive: true,
  sql: `
alter table shared.federated_event add column if not exists alteration text;
alter table shared.federated_event add column if not exists previous_starts_at timestamptz;
`,
};
