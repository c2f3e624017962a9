import type { Migration } from './migration.js';
import { triggersOf, type RecordedTable } from './tenant-094-changes.js';

/** What staff do with a card. A purchase and its payment are in the ledger. */
export const recordedWithGiftCards = {
  gift_card: {
    kind: 'money',
    updates: `old.issued_at is not null and (old.blocked_at, old.replaced_by_id, old.withdrawn_at, old.expires_at)
      is distinct from (new.blocked_at, new.replaced_by_id, new.withdrawn_at, new.expires_at)`,
  },
} as const satisfies Readonly<Record<string, RecordedTable>>;

export const tenantGiftCards: Migration = {
  version: 101,
  name: 'gift cards',
  additive: true,
  sql: `
-- Amounts of gift cards that the pages offer, separated by spaces; null: none are sold.
alter table configuration add column if not exists gift_cards text;
-- Years for which cards are valid, where the law allows an end; null: for as long as the law says at least.
alter table configuration add column if not exists gift_card_years smallint;
-- The cards that the buyer of an order entered.
alter table orders add column if not exists gift_card_ids uuid[] storage plain not null default '{}';

alter table order_line drop constraint if exists order_line_kind_check;
alter table order_line add constraint order_line_kind_check check (kind in ('ticket', 'goods', 'membership', 'donation', 'gift_card'));
alter table order_line drop constraint if exists order_line_price_check;
alter table order_line add constraint order_line_price_check
  check (kind in ('donation', 'gift_card') or price_id is not null and product_id is not null);
alter table payment drop constraint if exists payment_method_check;
alter table payment add constraint payment_method_check check (method in ('cash', 'card', 'offered', 'online', 'gift_card'));
alter table payment drop constraint if exists payment_refunded_method_check;
alter table payment add constraint payment_refunded_method_check
  check (refunded_method in ('cash', 'card', 'transfer', 'online', 'gift_card'));

create table if not exists gift_card (
  id uuid primary key default gen_random_uuid(),
  -- The order that bought it; null: staff issued it, or it replaces another card.
  order_id uuid constraint gift_card_order_id_key unique constraint gift_card_order_id_fkey references orders,
  -- null: it is not paid yet.
  code text storage plain constraint gift_card_code_key unique,
  amount numeric(10, 2) storage plain not null constraint gift_card_amount_check check (amount > 0),
  message text storage plain,
  recipient_name text storage plain not null default '',
  -- null: the buyer prints it.
  recipient_email text storage plain,
  buyer_name text storage plain not null default '',
  -- Empty: staff issued it.
  buyer_email text storage plain not null default '',
  language text storage plain,
  -- The day of its mail.
  send_on date,
  mailed_at timestamptz,
  issued_at timestamptz,
  expires_at timestamptz,
  blocked_at timestamptz,
  withdrawn_at timestamptz,
  replaced_by_id uuid constraint gift_card_replaced_by_id_fkey references gift_card,
  -- Why staff issued, blocked or replaced it.
  note text storage plain,
  by_user_id uuid,
  by_key_id text storage plain,
  created_at timestamptz not null default now(),
  constraint gift_card_issued_check check ((code is null) = (issued_at is null))
);
-- The value of a card is the sum of its movements.
create table if not exists gift_card_movement (
  id uuid primary key default gen_random_uuid(),
  gift_card_id uuid not null constraint gift_card_movement_gift_card_id_fkey references gift_card,
  kind text storage plain not null constraint gift_card_movement_kind_check
    check (kind in ('issue', 'payment', 'release', 'refund', 'replacement', 'withdrawal')),
  amount numeric(10, 2) storage plain not null,
  payment_id uuid constraint gift_card_movement_payment_id_fkey references payment,
  by_user_id uuid,
  by_key_id text storage plain,
  created_at timestamptz not null default now(),
  constraint gift_card_movement_payment_check check ((payment_id is not null) = (kind in ('payment', 'release', 'refund')))
);
create or replace trigger gift_card_movement_append_only before update or delete or truncate on gift_card_movement
  for each statement execute function shared.refuse_change();

create or replace function gift_card_state(card gift_card) returns text language sql stable as $body$
  select case when card.issued_at is null then 'unpaid' when card.withdrawn_at is not null then 'withdrawn'
    when card.replaced_by_id is not null then 'replaced' when card.blocked_at is not null then 'blocked'
    when card.expires_at <= statement_timestamp() then 'expired' else 'usable' end
$body$;
create or replace function gift_card_balance(card uuid) returns numeric language sql stable as $body$
  select coalesce(sum(amount), 0) from gift_card_movement where gift_card_id = card
$body$;

-- A payment with a card, and what gives it back, moves the value of the card in the same statement, so that both cannot differ. The row of
-- the card is locked first: the statement behind it sees what the lock waited for.
create or replace function note_gift_card_payment() returns trigger language plpgsql as $body$
declare
  paid_with uuid := coalesce(new.provider_payment, (select paid.provider_payment from payment paid where paid.id = new.refund_of))::uuid;
  card gift_card;
  least_left interval := case new.kind when 'refund' then interval '3 months' else interval '0' end;
  later timestamptz;
begin
  if new.kind = 'payment' and new.status in ('pending', 'paid') and (tg_op = 'INSERT' or old.status = 'failed') then
    select * into card from gift_card where id = paid_with for no key update;
    insert into gift_card_movement (gift_card_id, kind, amount, payment_id, by_user_id, by_key_id)
      select card.id, 'payment', -new.amount, new.id, new.by_user_id, new.by_key_id
      where gift_card_state(card) = 'usable' and gift_card_balance(card.id) >= new.amount;
    if not found then
      raise exception 'the gift card has not enough left' using errcode = 'check_violation', constraint = 'gift_card_covers';
    end if;
  elsif new.kind = 'payment' and new.status = 'failed' and tg_op = 'UPDATE' and old.status in ('pending', 'processing')
    or new.kind = 'refund' and new.status = 'refunded' and (tg_op = 'INSERT' or old.status = 'refund_due') then
    -- A card that was replaced gives to the one that replaces it.
    loop
      select * into card from gift_card where id = paid_with for no key update;
      exit when card.replaced_by_id is null;
      paid_with := card.replaced_by_id;
    end loop;
    -- Money that comes back when the card has expired is valid for as long as when it was paid.
    if card.expires_at <= statement_timestamp() + least_left then
      later := statement_timestamp() + greatest(least_left, card.expires_at - (select min(paid.created_at) from gift_card_movement paid
        where paid.payment_id = coalesce(new.refund_of, new.id) and paid.kind = 'payment'));
      update gift_card set expires_at = later where id = card.id;
    end if;
    insert into gift_card_movement (gift_card_id, kind, amount, payment_id, by_user_id, by_key_id)
      values (card.id, case new.kind when 'refund' then 'refund' else 'release' end, new.amount, new.id, new.by_user_id, new.by_key_id);
  end if;
  return null;
end
$body$;
-- A card that nobody paid for is in the record of changes, without its code.
create or replace function note_new_gift_card() returns trigger language plpgsql as $body$
begin
  perform shared.add_changed_row(tg_table_schema, tg_table_name, tg_op, null, to_jsonb(new) - 'code', 'money', 'gift_card', 'id');
  return null;
end
$body$;
drop trigger if exists gift_card_issued on gift_card;
create constraint trigger gift_card_issued after insert on gift_card deferrable initially deferred for each row
  when (new.order_id is null) execute function note_new_gift_card();
drop trigger if exists payment_gift_card_added on payment;
create trigger payment_gift_card_added after insert on payment for each row
  when (new.provider = 'gift_card') execute function note_gift_card_payment();
drop trigger if exists payment_gift_card_moved on payment;
create trigger payment_gift_card_moved after update of status on payment for each row
  when (new.provider = 'gift_card' and new.status <> old.status) execute function note_gift_card_payment();

alter table mail add column if not exists gift_card_id uuid references gift_card on delete cascade;
alter table mail drop constraint if exists mail_subject_check;
alter table mail add constraint mail_subject_check check (
  num_nonnulls(reservation_id, membership_id, waiting_entry_id, follower_id, gift_card_id) = case when kind = 'test' then 0 else 1 end);
${Object.entries(recordedWithGiftCards)
  .flatMap(([table, recorded]) => triggersOf(table, recorded))
  .join('')}
`,
};
