import type { Migration } from './migration.js';
import { triggersOf, type RecordedTable } from './tenant-094-changes.js';

/** The tables of this version whose changes are recorded. */
export const recordedWithCustomers = {
  customer: { kind: 'money' },
} as const satisfies Readonly<Record<string, RecordedTable>>;

export const tenantOnAccount: Migration = {
  version: 107,
  name: 'orders on account',
  additive: true,
  sql: `
-- Schools, companies and works councils that buy on account.
create table if not exists customer (
  id uuid primary key default gen_random_uuid(),
  name text storage plain not null,
  email text storage plain not null default '',
  address text storage plain not null default '',
  tax_number text storage plain not null default '',
  payment_days smallint not null default 30,
  disabled boolean not null default false,
  created_at timestamptz not null default now()
);
-- An order on account is one with a customer.
alter table orders add column if not exists customer_id uuid references customer (id);
create index if not exists orders_customer_idx on orders (customer_id) where customer_id is not null;
-- An order on account may be due in equal parts, a month apart.
alter table bank_transfer add column if not exists instalments smallint not null default 1;
${triggersOf('customer', recordedWithCustomers.customer).join('')}
`,
};
