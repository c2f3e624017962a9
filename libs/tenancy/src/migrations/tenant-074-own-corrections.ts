import type { Migration } from './migration.js';

export const tenantOwnCorrections: Migration = {
  version: 74,
  name: 'corrections of an address by the buyer',
  additive: true,
  sql: `
alter table email_correction add column if not exists by_buyer boolean not null default false;
`,
};
