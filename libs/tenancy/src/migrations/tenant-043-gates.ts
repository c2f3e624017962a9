import type { Migration } from './migration.js';

export const tenantGates: Migration = {
  version: 43,
  name: 'gates, exits and re-entry',
  additive: true,
  sql: `
create table if not exists gate (
  id uuid primary key default gen_random_uuid(),
  name text storage plain not null,
  event_id uuid,
  position smallint not null default 0,
  created_at timestamptz not null default now(),
  constraint gate_name_check check (name <> ''),
  constraint gate_event_id_fkey foreign key (event_id) references event (id) on delete cascade
);

-- What may pass a gate; a gate without rules lets every ticket pass.
create table if not exists gate_rule (
  id uuid primary key default gen_random_uuid(),
  gate_id uuid not null,
  product_id uuid,
  price_id uuid,
  constraint gate_rule_subject_check check (num_nonnulls(product_id, price_id) = 1),
  constraint gate_rule_gate_id_fkey foreign key (gate_id) references gate (id) on delete cascade,
  constraint gate_rule_product_id_fkey foreign key (product_id) references product (id) on delete cascade,
  constraint gate_rule_price_id_fkey foreign key (price_id) references price (id) on delete cascade
);

alter table event add column if not exists reentry boolean not null default false;

-- The gate of the last movement, and when the holder left; without foreign keys and indexes, because a scan writes them.
alter table ticket add column if not exists gate_id uuid;
alter table ticket add column if not exists left_at timestamptz;
alter table scan_log add column if not exists gate_id uuid;
alter table scan_log add column if not exists direction text;
-- The ticket's sequence after an entry, an exit or the undo of one: their order, which two clocks cannot tell.
alter table scan_log add column if not exists ticket_sequence integer;
`,
};
