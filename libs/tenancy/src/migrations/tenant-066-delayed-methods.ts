import type { Migration } from './migration.js';

export const tenantDelayedMethods: Migration = {
  version: 66,
  name: 'whether a venue accepts payments that take days',
  additive: true,
  sql: `
alter table payment_account add column if not exists delayed_methods boolean not null default false;
`,
};
