import type { Migration } from './migration.js';

export const tenantEventSubjects: Migration = {
  version: 72,
  name: 'webhook events by their object',
  additive: true,
  sql: `
-- An erasure blanks the events about what a person booked.
`,
};
