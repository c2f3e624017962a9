import type { Migration } from './migration.js';

export const tenantDrafts: Migration = {
  version: 32,
  name: 'booking on the public pages',
  additive: true,
  sql: `
alter table reservation add column if not exists is_draft boolean not null default false;
alter table reservation add column if not exists network text storage plain;
alter table reservation add column if not exists terms_accepted_at timestamptz;
alter table reservation add column if not exists pay_at_venue boolean not null default false;
alter table configuration add column if not exists pay_at_venue_hours smallint;
`,
};
