import type { Migration } from './migration.js';
import { triggersOf, type RecordedTable } from './tenant-094-changes.js';

/** The tables of this version whose changes are recorded. */
export const recordedWithDonations = { campaign: { kind: 'programme' } } as const satisfies Readonly<Record<string, RecordedTable>>;

export const tenantDonations: Migration = {
  version: 100,
  name: 'donations',
  additive: true,
  sql: `
-- Amounts that buyers of a free price can choose from, separated by spaces, and the one that is usual.
alter table price add column if not exists suggested_amounts text;
alter table price add column if not exists usual_amount numeric(10, 2);

-- A code that gives away the places at its event that others paid: what one costs, and whether the page tells how many there are.
alter table code add column if not exists place_amount numeric(10, 2) storage plain;
alter table code add column if not exists tells_given boolean not null default false;
alter table code drop constraint if exists code_place_check;
alter table code add constraint code_place_check check (place_amount is null or place_amount > 0 and cardinality(event_ids) = 1);
create unique index if not exists code_place_idx on code ((event_ids[1])) where place_amount is not null;

-- What donations are collected for.
create table if not exists campaign (
  id uuid primary key default gen_random_uuid(),
  title text not null,
  text text,
  image_id uuid references image (id) on delete set null,
  goal numeric(10, 2) constraint campaign_goal_check check (goal > 0),
  ends_at timestamptz,
  amounts text,
  published boolean not null default false,
  with_orders boolean not null default true,
  created_at timestamptz not null default now()
);
alter table order_line add column if not exists campaign_id uuid references campaign (id);
alter table order_line drop constraint if exists order_line_campaign_check;
alter table order_line add constraint order_line_campaign_check check (campaign_id is null or kind = 'donation');

-- What a French association says on its tax receipts; without articles it issues none.
alter table configuration add column if not exists tax_receipt_articles text;
alter table configuration add column if not exists tax_receipt_name text;
alter table configuration add column if not exists tax_receipt_object text;
alter table configuration add column if not exists tax_receipt_signer text;

-- Tax receipts for donations: a series without gaps, of documents that never change.
create table if not exists tax_receipt (
  id uuid primary key default gen_random_uuid(),
  number integer not null constraint tax_receipt_number_key unique constraint tax_receipt_number_check check (number > 0),
  line_id uuid not null constraint tax_receipt_line_id_key unique references order_line (id),
  -- Both null after the time for which the law wants copies to be kept.
  donor_name text storage plain,
  donor_address text storage plain,
  amount numeric(10, 2) storage plain not null,
  paid_at timestamptz not null,
  method text storage plain not null,
  -- What the organisation said of itself.
  issuer jsonb storage plain not null,
  issued_at timestamptz not null default now(),
  -- When its donation was given back.
  ended_at timestamptz
);
-- Functions name the schema of the table that changes, because schemas are renamed.
create or replace function keep_tax_receipt() returns trigger language plpgsql as $body$
declare
  follows boolean;
begin
  if tg_op = 'INSERT' then
    execute format('select $1 = 1 or exists (select from %I.tax_receipt where number = $1 - 1)', tg_table_schema)
      into follows using new.number;
    if follows then
      return null;
    end if;
    raise exception 'a tax receipt follows the one before' using errcode = 'restrict_violation';
  end if;
  if tg_op = 'DELETE' then
    raise exception 'a tax receipt is never deleted' using errcode = 'restrict_violation';
  end if;
  if to_jsonb(new) - 'ended_at' - 'donor_name' - 'donor_address' = to_jsonb(old) - 'ended_at' - 'donor_name' - 'donor_address'
      and (old.ended_at is null or new.ended_at = old.ended_at)
      and (new.donor_name is null or new.donor_name = old.donor_name)
      and (new.donor_address is null or new.donor_address = old.donor_address) then
    return new;
  end if;
  raise exception 'a tax receipt is never rewritten' using errcode = 'restrict_violation';
end
$body$;
create or replace trigger tax_receipt_kept before update or delete on tax_receipt for each row
  execute function keep_tax_receipt();
create or replace trigger tax_receipt_follows after insert on tax_receipt for each row execute function keep_tax_receipt();

-- A donation that is given back, by whatever way, ends its receipt.
create or replace function end_tax_receipt() returns trigger language plpgsql as $body$
begin
  execute format('update %I.tax_receipt set ended_at = (select now()) where line_id = $1 and ended_at is null', tg_table_schema)
    using new.of_line;
  return null;
end
$body$;
create or replace trigger order_line_ends_receipt after insert on order_line for each row
  when (new.of_line is not null and new.kind = 'donation') execute function end_tax_receipt();
${Object.entries(recordedWithDonations)
  .flatMap(([table, recorded]) => triggersOf(table, recorded))
  .join('')}
`,
};
