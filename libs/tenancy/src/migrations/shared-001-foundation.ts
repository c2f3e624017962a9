import type { Migration } from './migration.js';

export const sharedFoundation: Migration = {
  version: 1,
  name: 'foundation',
  sql: `
create table if not exists shared.tenant (
  id uuid default gen_random_uuid() not null,
  slug text not null,
  name text not null,
  category text not null,
  schema_name text not null,
  schema_version integer default 0 not null,
  language text default 'en' not null,
  time_zone text default 'Europe/Paris' not null,
  created_at timestamptz default now() not null,
  constraint tenant_pkey primary key (id),
  constraint tenant_slug_key unique (slug),
  constraint tenant_schema_name_key unique (schema_name),
  constraint tenant_category_check check (category in ('S', 'F', 'A', 'P', 'M', 'R')),
  constraint tenant_slug_check check (slug ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
  constraint tenant_schema_name_check check (schema_name ~ '^t_[0-9a-f]{32}$')
);
-- Exactly one Root; the index refuses a second one.
create unique index if not exists tenant_one_root on shared.tenant (category) where category = 'R';

create table if not exists shared.domain (
  host text not null,
  tenant_id uuid not null,
  is_primary boolean default false not null,
  constraint domain_pkey primary key (host),
  constraint domain_tenant_id_fkey foreign key (tenant_id) references shared.tenant (id) on delete cascade,
  constraint domain_host_check check (host = lower(host) and host !~ '[:/@\\s]')
);
create index if not exists domain_tenant_id_idx on shared.domain (tenant_id);
create unique index if not exists domain_one_primary on shared.domain (tenant_id) where is_primary;

create table if not exists shared.user_account (
  id uuid default gen_random_uuid() not null,
  email text not null,
  name text not null,
  password_hash text not null,
  is_super_user boolean default false not null,
  may_create_tenants boolean default false not null,
  language text,
  last_sign_in_at timestamptz,
  created_at timestamptz default now() not null,
  constraint user_account_pkey primary key (id),
  constraint user_account_email_key unique (email),
  constraint user_account_email_check check (email = lower(email))
);

create table if not exists shared.tenant_administrator (
  tenant_id uuid not null,
  user_id uuid not null,
  granted_at timestamptz default now() not null,
  constraint tenant_administrator_pkey primary key (tenant_id, user_id),
  constraint tenant_administrator_tenant_id_fkey foreign key (tenant_id) references shared.tenant (id) on delete cascade,
  constraint tenant_administrator_user_id_fkey foreign key (user_id) references shared.user_account (id) on delete cascade
);
create index if not exists tenant_administrator_user_id_idx on shared.tenant_administrator (user_id);

create table if not exists shared.api_key (
  id text not null,
  tenant_id uuid not null,
  kind text not null,
  name text not null,
  secret_hash bytea not null,
  device_id uuid,
  owner_id uuid,
  scopes text[] default '{}' not null,
  allowed_addresses text[] default '{}' not null,
  expires_at timestamptz,
  suspended_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz default now() not null,
  constraint api_key_pkey primary key (id),
  constraint api_key_tenant_id_fkey foreign key (tenant_id) references shared.tenant (id) on delete cascade,
  constraint api_key_owner_id_fkey foreign key (owner_id) references shared.user_account (id) on delete cascade,
  constraint api_key_kind_check check ((kind = 'gdev' and device_id is not null) or (kind = 'gkey' and device_id is null))
) with (fillfactor = 80);
create index if not exists api_key_tenant_id_device_id_idx on shared.api_key (tenant_id, device_id);

create table if not exists shared.sign_in_attempt (
  subject_hash bytea not null primary key,
  failures integer not null,
  locked_until timestamptz,
  last_failure_at timestamptz not null
);

create table if not exists shared.session (
  sid varchar not null primary key,
  sess json not null,
  expire timestamp(6) not null
);
create index if not exists session_expire_idx on shared.session (expire);

-- The trigger of append-only tables (the scan log) before updates and deletes.
create or replace function shared.refuse_change() returns trigger language plpgsql as $body$
begin
  raise exception 'table % is append-only', tg_table_name using errcode = 'restrict_violation';
end
$body$;
`,
};
