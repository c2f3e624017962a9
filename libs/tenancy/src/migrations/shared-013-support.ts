import type { Migration } from './migration.js';

export const sharedSupport: Migration = {
  version: 13,
  name: 'support visits',
  sql: `
-- Support visits of operators to a tenant's panel. A visit is requested in Root's panel. Its token works once, on the tenant's host.
create table if not exists shared.support_visit (
  id uuid default gen_random_uuid() not null,
  tenant_id uuid not null,
  user_id uuid,
  -- Name and address at that time, because the user may be renamed or deleted.
  operator text not null,
  reason text not null,
  -- SHA-256 of the token; null after its use.
  token_hash bytea,
  token_expires_at timestamptz not null,
  -- The user's session version at the time of the request. A revoked right increases it, which ends token and session.
  version integer not null,
  asked_at timestamptz default now() not null,
  entered_at timestamptz,
  ends_at timestamptz,
  left_at timestamptz,
  constraint support_visit_pkey primary key (id),
  constraint support_visit_token_hash_key unique (token_hash),
  constraint support_visit_tenant_id_fkey foreign key (tenant_id) references shared.tenant (id) on delete cascade,
  constraint support_visit_user_id_fkey foreign key (user_id) references shared.user_account (id) on delete set null
);
create index if not exists support_visit_tenant_id_entered_at_idx on shared.support_visit (tenant_id, entered_at);
create index if not exists support_visit_user_id_idx on shared.support_visit (user_id);

-- The acts of a visit, written before they are done. A repeated page view is recorded once.
create table if not exists shared.support_act (
  id uuid default gen_random_uuid() not null,
  visit_id uuid not null,
  at timestamptz default now() not null,
  kind text not null,
  resource text not null,
  record text not null,
  action text not null,
  -- Names of the submitted fields, without their values.
  fields text[] default '{}' not null,
  constraint support_act_pkey primary key (id),
  constraint support_act_visit_id_fkey foreign key (visit_id) references shared.support_visit (id) on delete cascade,
  constraint support_act_kind_check check (kind in ('looked', 'changed'))
);
create index if not exists support_act_visit_id_at_idx on shared.support_act (visit_id, at);
create unique index if not exists support_act_looked on shared.support_act (visit_id, resource, record, action) where kind = 'looked';
create or replace trigger support_act_append_only before update or truncate on shared.support_act
  for each statement execute function shared.refuse_change();

-- The support visit of a session; null: a sign-in with a password.
alter table shared.panel_session add column if not exists support_visit_id uuid;
alter table shared.panel_session drop constraint if exists panel_session_support_visit_id_fkey;
alter table shared.panel_session add constraint panel_session_support_visit_id_fkey
  foreign key (support_visit_id) references shared.support_visit (id) on delete cascade;
create index if not exists panel_session_support_visit_id_idx on shared.panel_session (support_visit_id);
`,
};
