import type { Migration } from './migration.js';

export const tenantChosenDates: Migration = {
  version: 105,
  name: 'passes for some dates of a series',
  additive: true,
  sql: `
alter table price add column if not exists pass_dates smallint constraint price_pass_dates_check
  check (pass_dates is null or whole_series and pass_dates between 2 and 20);
`,
};
