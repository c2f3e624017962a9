import type { Migration } from './migration.js';

export const sharedRoles: Migration = {
  version: 28,
  name: 'roles',
  additive: true,
  sql: `
-- Roles that venues made themselves.
create table if not exists shared.venue_role (
  id uuid default gen_random_uuid() not null,
  tenant_id uuid not null,
  name text not null,
  levels jsonb not null,
  created_at timestamptz default now() not null,
  constraint venue_role_pkey primary key (id),
  constraint venue_role_tenant_id_name_key unique (tenant_id, name),
  constraint venue_role_tenant_id_fkey foreign key (tenant_id) references shared.tenant (id) on delete cascade
);

-- Rights with limits. Programs before this one know only shared.tenant_administrator, which has the rights without.
create table if not exists shared.role_grant (
  tenant_id uuid not null,
  user_id uuid not null,
  role text not null,
  role_id uuid,
  scope text default 'all' not null,
  event_ids uuid[] default '{}' not null,
  kinds text[] default '{}' not null,
  ends_at timestamptz,
  suspended_at timestamptz,
  granted_at timestamptz default now() not null,
  constraint role_grant_pkey primary key (tenant_id, user_id),
  constraint role_grant_tenant_id_fkey foreign key (tenant_id) references shared.tenant (id) on delete cascade,
  constraint role_grant_user_id_fkey foreign key (user_id) references shared.user_account (id) on delete cascade,
  constraint role_grant_role_id_fkey foreign key (role_id) references shared.venue_role (id)
);
create index if not exists role_grant_user_id_idx on shared.role_grant (user_id);
create index if not exists role_grant_role_id_idx on shared.role_grant (role_id);
`,
};
