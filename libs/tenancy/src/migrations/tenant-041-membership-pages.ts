import type { Migration } from './migration.js';

export const tenantMembershipPages: Migration = {
  version: 41,
  name: 'memberships on the public pages',
  additive: true,
  sql: `
alter table membership add column if not exists terms_accepted_at timestamptz;
-- Which reminders of the end were sent: 1 a month before, 2 a week before.
alter table membership add column if not exists reminder smallint not null default 0;
alter table configuration add column if not exists membership_reminders boolean not null default true;
`,
};
