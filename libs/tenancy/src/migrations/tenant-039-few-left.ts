import type { Migration } from './migration.js';

export const tenantFewLeft: Migration = {
  version: 39,
  name: 'threshold of few tickets left',
  additive: true,
  sql: `
alter table configuration add column if not exists few_left smallint not null default 10;
`,
};
