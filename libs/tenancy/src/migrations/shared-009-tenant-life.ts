import type { Migration } from './migration.js';

export const sharedTenantLife: Migration = {
  version: 9,
  name: 'life of a tenant',
  sql: `
alter table shared.tenant add column if not exists state text default 'active' not null;
alter table shared.tenant add column if not exists state_reason text;
alter table shared.tenant add column if not exists state_since timestamptz default now() not null;
-- When a tenant in the state deleting will be dropped.
alter table shared.tenant add column if not exists delete_after timestamptz;
alter table shared.tenant drop constraint if exists tenant_state_check;
alter table shared.tenant add constraint tenant_state_check check (state in ('active', 'suspended', 'archived', 'deleting'));
alter table shared.tenant drop constraint if exists tenant_delete_after_check;
alter table shared.tenant add constraint tenant_delete_after_check check ((state = 'deleting') = (delete_after is not null));
-- Root is always active.
alter table shared.tenant drop constraint if exists tenant_root_active_check;
alter table shared.tenant add constraint tenant_root_active_check check (category <> 'R' or state = 'active');
create index if not exists tenant_delete_after_idx on shared.tenant (delete_after) where delete_after is not null;

-- Acts of operators on tenants. No foreign key, because the rows are kept when the tenant is dropped.
create table if not exists shared.tenant_change (
  id uuid default gen_random_uuid() not null,
  tenant_id uuid not null,
  slug text not null,
  at timestamptz default now() not null,
  actor_id uuid,
  actor text not null,
  action text not null,
  reason text,
  details jsonb default '{}' not null,
  constraint tenant_change_pkey primary key (id)
);
create index if not exists tenant_change_tenant_id_at_idx on shared.tenant_change (tenant_id, at);
create or replace trigger tenant_change_append_only before update or delete or truncate on shared.tenant_change
  for each statement execute function shared.refuse_change();
`,
};
