import type { Migration } from './migration.js';

export const sharedPasskeys: Migration = {
  version: 32,
  name: 'passkeys of staff',
  additive: true,
  sql: `
-- Passkeys with which people sign in (WebAuthn). Each works on one host.
create table if not exists shared.passkey (
  id uuid not null,
  user_id uuid not null,
  host text not null,
  -- Base64url, as the browser names it.
  credential_id text not null,
  public_key bytea not null,
  transports text[] default '{}' not null,
  name text not null,
  created_at timestamptz default now() not null,
  constraint passkey_pkey primary key (id),
  constraint passkey_credential_id_key unique (credential_id),
  constraint passkey_user_id_fkey foreign key (user_id) references shared.user_account (id) on delete cascade
);
create index if not exists passkey_user_id_idx on shared.passkey (user_id);

-- The last use of a passkey. Written at each sign-in, on the first node alone.
create table if not exists shared.passkey_use (
  passkey_id uuid not null,
  -- What the passkey counts itself; 0: it does not count.
  counter bigint not null,
  used_at timestamptz default now() not null,
  constraint passkey_use_pkey primary key (passkey_id)
);

-- Roles of a venue that need a second factor: the name of a preset, or the id of an own role.
create table if not exists shared.factor_rule (
  tenant_id uuid not null,
  role text not null,
  constraint factor_rule_pkey primary key (tenant_id, role),
  constraint factor_rule_tenant_id_fkey foreign key (tenant_id) references shared.tenant (id) on delete cascade
);
`,
};
