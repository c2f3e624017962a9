import type { Migration } from './migration.js';

export const sharedPlaceRequests: Migration = {
  version: 14,
  name: 'place-requests',
  sql: `
-- A form of /tenant/new/. draft: being filled in; waiting: the e-mail address is not confirmed yet; created: its tenant exists.
create table if not exists shared.place_request (
  id uuid not null,
  state text not null,
  -- An operator invited the person, so the e-mail address counts as confirmed.
  invited boolean default false not null,
  -- Keyed hash of the client's network, to limit the number of forms per network.
  network text,
  -- Keyed hash of the e-mail address, to limit the number of mails to it.
  email_mark text,
  -- Content of the form, encrypted with the server secret; null after the tenant is created.
  sealed bytea,
  created_at timestamptz default now() not null,
  sent_at timestamptz,
  expires_at timestamptz not null,
  tenant_id uuid,
  user_id uuid,
  -- The administrator may set a first password with the link.
  password_due boolean default false not null,
  constraint place_request_pkey primary key (id),
  constraint place_request_tenant_id_fkey foreign key (tenant_id) references shared.tenant (id) on delete cascade,
  constraint place_request_user_id_fkey foreign key (user_id) references shared.user_account (id) on delete cascade,
  constraint place_request_state_check check (state in ('draft', 'waiting', 'created'))
);
create index if not exists place_request_expires_at_idx on shared.place_request (expires_at);

-- Images of a form, kept until the tenant is created or the form expires.
create table if not exists shared.place_request_picture (
  request_id uuid not null,
  field text not null,
  name text not null,
  format text not null,
  kind text not null,
  source_width integer not null,
  source_height integer not null,
  width integer not null,
  height integer not null,
  bytes bytea not null,
  sha256 bytea not null,
  constraint place_request_picture_pkey primary key (request_id, field, name, format),
  constraint place_request_picture_request_id_fkey foreign key (request_id) references shared.place_request (id) on delete cascade,
  constraint place_request_picture_field_check check (field in ('image', 'logo'))
);

-- Tenants whose panel still shows the first steps.
create table if not exists shared.tenant_welcome (
  tenant_id uuid not null,
  created_at timestamptz default now() not null,
  constraint tenant_welcome_pkey primary key (tenant_id),
  constraint tenant_welcome_tenant_id_fkey foreign key (tenant_id) references shared.tenant (id) on delete cascade
);
`,
};
