import type { Migration } from './migration.js';

export const sharedInvitations: Migration = {
  version: 31,
  name: 'invitations',
  additive: true,
  sql: `
-- Rights that wait for somebody to accept them. Each server has those of its tenants, so no foreign key names tenants or users.
create table if not exists shared.invitation (
  id uuid default gen_random_uuid() not null,
  tenant_id uuid not null,
  -- In lower case.
  email text not null,
  role text not null,
  role_id uuid,
  scope text default 'all' not null,
  event_ids uuid[] default '{}' not null,
  kinds text[] default '{}' not null,
  -- The right ends then.
  ends_at timestamptz,
  note text,
  -- The right of this person is judged again when the invitation is accepted. Null: the operator.
  invited_by uuid,
  -- Mails since the last day without one, and when the last one was asked for.
  mails integer default 1 not null,
  asked_at timestamptz default now() not null,
  -- SHA-256 of the token; null until the mail is sent.
  token_hash bytea,
  expires_at timestamptz,
  -- Accepted, taken back, or the person got a right otherwise.
  closed_at timestamptz,
  created_at timestamptz default now() not null,
  constraint invitation_pkey primary key (id),
  constraint invitation_token_hash_key unique (token_hash)
);
create unique index if not exists invitation_open_key on shared.invitation (tenant_id, email) where closed_at is null;
create index if not exists invitation_email_idx on shared.invitation (email);
`,
};
