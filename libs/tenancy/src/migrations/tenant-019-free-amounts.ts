import type { Migration } from './migration.js';

export const tenantFreeAmounts: Migration = {
  version: 19,
  name: 'free amounts',
  sql: `
-- The buyer chooses the amount; the amount of the price is the minimum.
alter table price add column if not exists free_amount boolean default false not null;
`,
};
