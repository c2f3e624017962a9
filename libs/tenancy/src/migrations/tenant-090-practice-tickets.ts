import type { Migration } from './migration.js';

export const tenantPracticeTickets: Migration = {
  version: 90,
  name: 'practice tickets',
  additive: true,
  sql: `
alter table team_code add column if not exists practised_at timestamptz;
`,
};
