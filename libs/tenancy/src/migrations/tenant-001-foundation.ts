import type { Migration } from './migration.js';

export const tenantFoundation: Migration = {
  version: 1,
  name: 'foundation',
  sql: `
create table if not exists configuration (
  id smallint default 1 not null,
  short_description text,
  long_description text,
  street_address text,
  postal_code text,
  city text,
  country text,
  phone text,
  email text,
  website text,
  constraint configuration_pkey primary key (id),
  constraint configuration_single_row check (id = 1)
);

-- Ed25519 keys that sign ticket codes. The private keys are encrypted with the server secret.
create table if not exists signing_key (
  id smallint not null,
  public_key bytea storage plain not null,
  sealed_private_key bytea storage plain not null,
  created_at timestamptz default now() not null,
  retired_at timestamptz,
  revoked_at timestamptz,
  constraint signing_key_pkey primary key (id),
  constraint signing_key_id_check check (id between 1 and 255)
);
-- At most one key signs new tickets.
create unique index if not exists signing_key_one_current on signing_key ((true)) where retired_at is null and revoked_at is null;
`,
};
