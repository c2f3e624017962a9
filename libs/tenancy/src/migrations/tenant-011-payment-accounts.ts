import type { Migration } from './migration.js';

export const tenantPaymentAccounts: Migration = {
  version: 11,
  name: 'payment-accounts',
  sql: `
-- The tenant's account with a payment provider. Its keys are encrypted with the server secret, bound to their purpose and tenant.
create table if not exists payment_account (
  provider text storage plain not null,
  sealed_secret_key bytea storage plain not null,
  sealed_webhook_secret bytea storage plain not null,
  enabled boolean default true not null,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  constraint payment_account_pkey primary key (provider),
  constraint payment_account_provider_check check (provider in ('stripe'))
);
`,
};
