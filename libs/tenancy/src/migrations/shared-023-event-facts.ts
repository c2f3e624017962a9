import type { Migration } from './migration.js';

export const sharedEventFacts: Migration = {
  version: 23,
  name: 'practical facts of events',
  additive: true,
  sql: `
alter table shared.federated_event add column if not exists doors_at timestamptz;
alter table shared.federated_event add column if not exists duration_minutes integer;
alter table shared.federated_event add column if not exists age_range text;
alter table shared.federated_event add column if not exists access text;
`,
};
