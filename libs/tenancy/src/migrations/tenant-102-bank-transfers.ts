import type { Migration } from './migration.js';
import { triggersOf, type RecordedTable } from './tenant-094-changes.js';

/** The tables of this version whose changes are recorded. */
export const recordedWithTransfers = {
  transfer_account: { kind: 'money' },
} as const satisfies Readonly<Record<string, RecordedTable>>;

export const tenantBankTransfers: Migration = {
  version: 102,
  name: 'orders that are paid by bank transfer',
  additive: true,
  sql: `
-- How something was paid is a list of the program.
alter table payment drop constraint if exists payment_method_check;
-- The bank account of the venue: at most one row.
create table if not exists transfer_account (
  id smallint primary key default 1 constraint transfer_account_single_row check (id = 1),
  iban text storage plain not null,
  bic text storage plain not null default '',
  holder text storage plain not null,
  days smallint not null,
  offered boolean not null default true
);
create table if not exists bank_transfer (
  order_id uuid primary key references orders (id) on delete cascade,
  reference text storage plain not null constraint bank_transfer_reference_key unique,
  due_on date not null,
  reminded_at timestamptz,
  created_at timestamptz not null default now()
);
create table if not exists bank_statement (
  id uuid primary key default gen_random_uuid(),
  file_name text storage plain not null,
  digest text storage plain not null constraint bank_statement_digest_key unique,
  heading text storage plain not null default '',
  columns text storage plain not null default '',
  added integer not null default 0,
  by_user_id uuid,
  created_at timestamptz not null default now()
);
create table if not exists bank_entry (
  id uuid primary key default gen_random_uuid(),
  statement_id uuid not null references bank_statement (id),
  account text storage plain not null,
  key text storage plain not null,
  booked_on date not null,
  amount numeric(12, 2) storage plain not null,
  currency text storage plain not null,
  name text storage plain not null default '',
  iban text storage plain not null default '',
  bic text storage plain not null default '',
  text text storage plain not null default '',
  state text storage plain not null,
  finding text storage plain not null,
  suggested_order_id uuid,
  excess numeric(12, 2) storage plain not null default 0,
  refund_reference text storage plain not null default '',
  note text storage plain not null default '',
  settled_by uuid,
  settled_at timestamptz,
  created_at timestamptz not null default now(),
  -- The same entry may be in several files.
  constraint bank_entry_key unique (account, key)
);
create index if not exists bank_entry_booked_on_idx on bank_entry (booked_on, amount);
-- What of an entry is for an order.
create table if not exists bank_share (
  entry_id uuid not null references bank_entry (id),
  order_id uuid not null references bank_transfer (order_id),
  amount numeric(12, 2) storage plain not null,
  used_at timestamptz,
  primary key (order_id, entry_id)
);
create table if not exists refund_order (
  id uuid primary key default gen_random_uuid(),
  reference text storage plain not null,
  refunds integer not null,
  amount numeric(12, 2) storage plain not null,
  by_user_id uuid,
  created_at timestamptz not null default now()
);
${Object.entries(recordedWithTransfers)
  .flatMap(([table, recorded]) => triggersOf(table, recorded))
  .join('')}
`,
};
