import type { Migration } from './migration.js';

export const tenantMembershipCodes: Migration = {
  version: 106,
  name: 'codes for memberships',
  additive: true,
  sql: `
alter table code add column if not exists applies_to text storage plain not null default 'tickets';
alter table code drop constraint if exists code_applies_to_check,
  add constraint code_applies_to_check check (applies_to in ('tickets', 'memberships', 'both'));
-- A line of a membership has no reservation; in an open cart, it has no membership either.
alter table code_use alter column reservation_id drop not null;
alter table code_use add column if not exists membership_id uuid;
`,
};
