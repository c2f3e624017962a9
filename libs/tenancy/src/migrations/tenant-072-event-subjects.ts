import type { Migration } from './migration.js';

export const tenantEventSubjects: Migration = {
  version: 72,
  name: 'webhook events by their object',
  additive: true,
  sql: `
-- An erasure blanks the events about what a person booked.
create index if not exists webhook_event_subject_id_idx on webhook_event (subject_id);
`,
};
