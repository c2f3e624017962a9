import type { Migration } from './migration.js';
import { triggersOf, type RecordedTable } from './tenant-094-changes.js';

/** The tables of this version whose changes are recorded. */
export const recordedWithDiscounts = { discount: { kind: 'money' } } as const satisfies Readonly<Record<string, RecordedTable>>;

export const tenantDiscounts: Migration = {
  version: 99,
  name: 'discounts without a code',
  additive: true,
  sql: `
create table if not exists discount (
  id uuid primary key default gen_random_uuid(),
  name text storage plain not null,
  kind text storage plain not null,
  effect text storage plain not null constraint discount_effect_check check (effect in ('percent', 'amount', 'price')),
  -- Percent or euros.
  value numeric(10, 2) storage plain not null,
  -- Tickets, or events, that it needs; of n for m: n.
  least integer,
  -- Of n for m: how many of the n tickets it reduces.
  reduced integer,
  -- What the tickets must cost together.
  least_amount numeric(10, 2) storage plain,
  membership_id uuid,
  -- What a set contains: {"priceIds": [], "quantity": 1}.
  parts jsonb storage plain not null default '[]',
  price_ids uuid[] storage plain not null default '{}',
  product_ids uuid[] storage plain not null default '{}',
  event_ids uuid[] storage plain not null default '{}',
  valid_from timestamptz,
  valid_until timestamptz,
  disabled boolean not null default false,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
-- The lines that a discount reduced; it ends with the line of a hold. Of later changes of the discount it knows nothing.
create table if not exists discount_use (
  line_id uuid primary key references order_line (id) on delete cascade,
  reservation_id uuid not null,
  discount_id uuid not null references discount (id),
  name text storage plain not null,
  -- Of each piece.
  saved numeric(10, 2) storage plain not null,
  -- The membership that the buyer must have.
  membership_id uuid
);
${Object.entries(recordedWithDiscounts)
  .flatMap(([table, recorded]) => triggersOf(table, recorded))
  .join('')}
`,
};
