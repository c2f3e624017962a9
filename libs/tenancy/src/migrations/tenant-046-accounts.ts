import type { Migration } from './migration.js';

export const tenantAccounts: Migration = {
  version: 46,
  name: 'accounts by mail link',
  additive: true,
  sql: `
create table if not exists account_session (
  id uuid primary key default gen_random_uuid(),
  email text storage plain not null,
  email_key text storage plain not null,
  language text storage plain,
  network text storage plain not null,
  link_until timestamptz not null,
  opened_at timestamptz,
  token_hash text storage plain,
  ends_at timestamptz,
  created_at timestamptz not null default now()
);
`,
};
