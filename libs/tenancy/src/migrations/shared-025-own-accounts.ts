import type { Migration } from './migration.js';

export const sharedOwnAccounts: Migration = {
  version: 25,
  name: 'own accounts of staff',
  additive: true,
  sql: `
-- Links behind which a password is chosen. A row is written for every address that is typed, so that unknown ones take the same time.
create table if not exists shared.password_link (
  id uuid default gen_random_uuid() not null,
  tenant_id uuid not null,
  -- Null: nobody has the address.
  user_id uuid,
  -- SHA-256 of the address, and a keyed hash of the network, for the limits.
  email_hash bytea not null,
  network text not null,
  language text not null,
  -- SHA-256 of the token; null until the mail is sent.
  token_hash bytea,
  ends_at timestamptz,
  used_at timestamptz,
  created_at timestamptz default now() not null,
  constraint password_link_pkey primary key (id),
  constraint password_link_token_hash_key unique (token_hash),
  constraint password_link_tenant_id_fkey foreign key (tenant_id) references shared.tenant (id) on delete cascade,
  constraint password_link_user_id_fkey foreign key (user_id) references shared.user_account (id) on delete cascade
);
create index if not exists password_link_tenant_id_created_at_idx on shared.password_link (tenant_id, created_at);
create index if not exists password_link_user_id_idx on shared.password_link (user_id);

-- Second factors of users: codes that change with the time (RFC 6238).
create table if not exists shared.second_factor (
  user_id uuid not null,
  -- The key, encrypted with the server secret.
  sealed_key bytea not null,
  -- Null: the first code was not entered yet.
  confirmed_at timestamptz,
  -- The newest time step of which a code was used.
  last_step bigint default 0 not null,
  created_at timestamptz default now() not null,
  constraint second_factor_pkey primary key (user_id),
  constraint second_factor_user_id_fkey foreign key (user_id) references shared.user_account (id) on delete cascade
);

-- Codes for whoever lost the second factor. A used code is deleted.
create table if not exists shared.recovery_code (
  user_id uuid not null,
  -- A keyed hash.
  code_hash text not null,
  created_at timestamptz default now() not null,
  constraint recovery_code_pkey primary key (user_id, code_hash),
  constraint recovery_code_user_id_fkey foreign key (user_id) references shared.user_account (id) on delete cascade
);
`,
};
