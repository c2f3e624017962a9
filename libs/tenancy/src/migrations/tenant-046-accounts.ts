import type { Migration } from './migration.js';

export const tenantAccounts: Migration = {
  version: 46,
  name: 'accounts by mail link',
  additive: true,
  sql: `
create table if not exists account_session (
  id uuid primary key default gen_random_uuid(),
  email text not null,
  email_key text not null,
  language text,
  network text not null,
  link_until timestamptz not null,
  opened_at timestamptz,
  token_hash text,
  ends_at timestamptz,
  created_at timestamptz not null default now()
);
create unique index if not exists account_session_token_idx on account_session (token_hash) where token_hash is not null;
create index if not exists account_session_email_key_idx on account_session (email_key);
create index if not exists account_session_created_at_idx on account_session (created_at);
`,
};
