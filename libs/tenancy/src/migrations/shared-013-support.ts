import type { Migration } from './migration.js';

export const sharedSupport: Migration = {
  version: 13,
  name: 'support visits',
  sql: `
-- Operators who enter a tenant's panel as support. A visit begins in Root's panel with a token that is spent once, on the tenant's own host.
create table if not exists shared.support_visit (
  id uuid default gen_random_uuid() not null,
  tenant_id uuid not null,
  user_id uuid,
  -- Name and address as they were: the record stays right when the user is renamed or deleted.
  operator text not null,
  reason text not null,
  -- SHA-256 of the token; null once it is spent.
  token_hash bytea,
  token_expires_at timestamptz not null,
  -- The user's session version when the visit was asked for: a right that is taken away ends token and session.
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

-- What was done in a visit, written before it is done; what was looked at, once a record.
create table if not exists shared.support_act (
  id uuid default gen_random_uuid() not null,
  visit_id uuid not null,
  at timestamptz default now() not null,
  kind text not null,
  resource text not null,
  record text not null,
  action text not null,
  -- Names of the fields that were sent, not what stood in them.
  fields text[] default '{}' not null,
  constraint support_act_pkey primary key (id),
  constraint support_act_visit_id_fkey foreign key (visit_id) references shared.support_visit (id) on delete cascade,
  constraint support_act_kind_check check (kind in ('looked', 'changed'))
);
create index if not exists support_act_visit_id_at_idx on shared.support_act (visit_id, at);
create unique index if not exists support_act_looked on shared.support_act (visit_id, resource, record, action) where kind = 'looked';
create or replace trigger support_act_append_only before update or truncate on shared.support_act
  for each statement execute function shared.refuse_change();

-- The visit that a session belongs to; null: somebody signed in with a password.
alter table shared.panel_session add column if not exists support_visit_id uuid;
alter table shared.panel_session drop constraint if exists panel_session_support_visit_id_fkey;
alter table shared.panel_session add constraint panel_session_support_visit_id_fkey
  foreign key (support_visit_id) references shared.support_visit (id) on delete cascade;
create index if not exists panel_session_support_visit_id_idx on shared.panel_session (support_visit_id);
`,
};
