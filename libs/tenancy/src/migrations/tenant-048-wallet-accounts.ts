import type { Migration } from './migration.js';

export const tenantWalletAccounts: Migration = {
  version: 48,
  name: 'certificates and keys for passes of wallets',
  additive: true,
  sql: `
-- Credentials are encrypted with the server secret, bound to their tenant.
create table if not exists wallet_account (
  provider text not null,
  identifier text not null,
  sealed_credentials bytea not null,
  expires_at timestamptz,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  constraint wallet_account_pkey primary key (provider),
  constraint wallet_account_provider_check check (provider in ('apple', 'google'))
);
`,
};
