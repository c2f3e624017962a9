import type { Migration } from './migration.js';

export const tenantSaleWindows: Migration = {
  version: 38,
  name: 'sale windows of prices',
  additive: true,
  sql: `
alter table price add column if not exists sales_from timestamptz, add column if not exists sales_until timestamptz;
`,
};
