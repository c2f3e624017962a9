import type { Migration } from './migration.js';

export const tenantMembershipRenewals: Migration = {
  version: 91,
  name: 'automatic renewal of memberships',
  additive: true,
  sql: `
alter table product add column if not exists auto_renewal boolean not null default false;
alter table payment add column if not exists unattended boolean not null default false;
create table if not exists membership_renewal (
  membership_id uuid primary key references membership (id) on delete cascade,
  created_at timestamptz not null default now(),
  announced_at timestamptz,
  amount numeric(10, 2) storage plain,
  due_at timestamptz,
  attempts smallint not null default 0,
  payment_id uuid,
  next_id uuid,
  ended text storage plain,
  ended_at timestamptz,
  stopped_by uuid
);
`,
};
