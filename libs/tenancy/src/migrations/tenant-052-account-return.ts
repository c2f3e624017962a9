import type { Migration } from './migration.js';

export const tenantAccountReturn: Migration = {
  version: 52,
  name: 'visitors who sign in return to the page from which they came',
  additive: true,
  sql: `
alter table account_session add column if not exists return_to text storage plain;
`,
};
