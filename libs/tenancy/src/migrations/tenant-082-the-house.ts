import type { Migration } from './migration.js';

export const tenantTheHouse: Migration = {
  version: 82,
  name: 'the page of the house',
  additive: true,
  sql: `
-- Plain text, one thing a line.
alter table configuration add column if not exists opening_hours text;
alter table configuration add column if not exists getting_here text;
alter table configuration add column if not exists accessibility text;
alter table configuration add column if not exists access_contact text;
`,
};
