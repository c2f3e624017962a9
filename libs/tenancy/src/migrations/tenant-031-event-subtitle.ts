import type { Migration } from './migration.js';

export const tenantEventSubtitle: Migration = {
  version: 31,
  name: 'subtitle of events',
  additive: true,
  sql: `
alter table event add column if not exists subtitle text;
`,
};
