import type { Migration } from './migration.js';
import { triggersOf, type RecordedTable } from './tenant-094-changes.js';

/** The tables of this version whose changes are recorded. */
export const recordedWithCodes = { code: { kind: 'money' } } as const satisfies Readonly<Record<string, RecordedTable>>;

/** Columns of prices that a sale reads: those of version 89 with the new one. */
const ofPrices = [
  'id, product_id, name, short_description, long_description, amount, free_amount, vat, stock, max_per_user',
  'subscription_type, required_membership_id, published, sales_from, sales_until, door_note, entry_rule, whole_series, hidden',
].join(', ');

export const tenantCodes: Migration = {
  version: 96,
  name: 'discount codes',
  additive: true,
  sql: `
alter table price add column if not exists hidden boolean not null default false;
create or replace trigger price_sale_version after insert or delete or update of ${ofPrices} on price for each row
  execute function raise_sale_version_of_product();
create table if not exists code (
  id uuid primary key default gen_random_uuid(),
  -- In capitals, so that its spelling does not matter.
  code text storage plain not null constraint code_code_key unique,
  effect text storage plain not null constraint code_effect_check check (effect in ('none', 'price', 'amount', 'percent')),
  -- Euros, or percent; null without a reduction.
  value numeric(10, 2) storage plain,
  price_ids uuid[] storage plain not null default '{}',
  product_ids uuid[] storage plain not null default '{}',
  event_ids uuid[] storage plain not null default '{}',
  valid_from timestamptz,
  valid_until timestamptz,
  max_uses integer,
  max_per_person integer,
  budget numeric(10, 2) storage plain,
  reserved integer not null default 0,
  tag text storage plain,
  disabled boolean not null default false,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint code_value_check check ((value is null) = (effect = 'none')),
  -- Places are reserved at one event.
  constraint code_reserved_check check (reserved = 0 or reserved > 0 and cardinality(event_ids) = 1)
);
-- Each count of the free places of an event looks for them.
create index if not exists code_reserved_idx on code ((event_ids[1])) where reserved > 0;
-- The lines that a code opened or reduced; it ends with the line of a hold.
create table if not exists code_use (
  line_id uuid primary key references order_line (id) on delete cascade,
  reservation_id uuid not null,
  code_id uuid not null references code (id),
  -- Of each piece.
  saved numeric(10, 2) storage plain not null
);
create index if not exists code_use_code_id_idx on code_use (code_id);
${Object.entries(recordedWithCodes)
  .flatMap(([table, recorded]) => triggersOf(table, recorded))
  .join('')}
`,
};
