import type { Migration } from './migration.js';

export const tenantCompletedOrders: Migration = {
  version: 64,
  name: 'when orders of the pages were completed, and whether only a mailed link opens them',
  additive: true,
  sql: `
-- The links to orders and carts end a day after it; null: no order of the pages, or an older one.
alter table reservation add column if not exists completed_at timestamptz;
alter table reservation add column if not exists opens_by_mail boolean not null default false;
`,
};
