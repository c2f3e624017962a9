import type { Migration } from './migration.js';

export const tenantNetworkCards: Migration = {
  version: 109,
  name: 'gift cards of networks',
  additive: true,
  sql: `
-- A card of another venue of a network, which pays here. Its value is at the venue that issued it, except while a transaction pays with it.
alter table gift_card add column if not exists issuer_id uuid;
alter table gift_card add column if not exists issuer_card_id uuid;
-- The end of the code of such a card.
alter table gift_card add column if not exists code_tail text storage plain;
alter table gift_card drop constraint if exists gift_card_issued_check;
alter table gift_card add constraint gift_card_issued_check check (
  case when issuer_id is null then (code is null) = (issued_at is null) and issuer_card_id is null
    else code is null and issued_at is not null and issuer_card_id is not null and code_tail is not null end);

-- Both venues have a movement for what passes between them, with the same name and time and opposite amounts.
alter table gift_card_movement add column if not exists transfer_id uuid;
-- The other venue.
alter table gift_card_movement add column if not exists peer_id uuid;
alter table gift_card_movement drop constraint if exists gift_card_movement_kind_check;
alter table gift_card_movement add constraint gift_card_movement_kind_check
  check (kind in ('issue', 'payment', 'release', 'refund', 'replacement', 'withdrawal', 'network'));
alter table gift_card_movement drop constraint if exists gift_card_movement_payment_check;
alter table gift_card_movement add constraint gift_card_movement_payment_check check ((transfer_id is null) = (peer_id is null)
  and num_nonnulls(payment_id, transfer_id) = case when kind in ('payment', 'release', 'refund', 'network') then 1 else 0 end
  and (kind <> 'network' or payment_id is null));

-- Locks the card that gets back what another one paid: the newest of those that replaced one another. One that has expired is valid again
-- for as long as it was when it paid, and for a least time.
create or replace function gift_card_receiver(paid_with uuid, paid_at timestamptz, least_left interval) returns gift_card
language plpgsql as $body$
declare
  card gift_card;
begin
  loop
    select * into card from gift_card where id = paid_with for no key update;
    exit when card.replaced_by_id is null;
    paid_with := card.replaced_by_id;
  end loop;
  if card.expires_at <= statement_timestamp() + least_left then
    update gift_card set expires_at = statement_timestamp() + greatest(least_left, card.expires_at - paid_at) where id = card.id;
  end if;
  return card;
end
$body$;

-- A payment with a card, and what gives it back, moves the value of the card in the same statement, so that both cannot differ. The row of
-- the card is locked first: the statement behind it sees what the lock waited for. What a card of another venue gets back goes on to that
-- venue: the movement is written here, and a job tells the venue.
create or replace function note_gift_card_payment() returns trigger language plpgsql as $body$
declare
  paid_with uuid := coalesce(new.provider_payment, (select paid.provider_payment from payment paid where paid.id = new.refund_of))::uuid;
  card gift_card;
  own_id uuid;
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
    card := gift_card_receiver(paid_with, (select min(paid.created_at) from gift_card_movement paid
      where paid.payment_id = coalesce(new.refund_of, new.id) and paid.kind = 'payment'),
      case new.kind when 'refund' then interval '3 months' else interval '0' end);
    insert into gift_card_movement (gift_card_id, kind, amount, payment_id, by_user_id, by_key_id)
      values (card.id, case new.kind when 'refund' then 'refund' else 'release' end, new.amount, new.id, new.by_user_id, new.by_key_id);
    if card.issuer_id is not null then
      insert into gift_card_movement (id, gift_card_id, kind, amount, transfer_id, peer_id)
        values (new.id, card.id, 'network', -new.amount, new.id, card.issuer_id);
      select id into own_id from shared.tenant where schema_name = tg_table_schema;
      insert into shared.job (tenant_id, kind, subject_id, due_at) values (own_id, 'network-card', card.id, statement_timestamp())
        on conflict (tenant_id, kind, subject_id) do update
        set due_at = least(job.due_at, excluded.due_at), attempts = 0, revision = job.revision + 1, last_error = null;
    end if;
  end if;
  return null;
end
$body$;
drop trigger if exists gift_card_issued on gift_card;
create constraint trigger gift_card_issued after insert on gift_card deferrable initially deferred for each row
  when (new.order_id is null and new.issuer_id is null) execute function note_new_gift_card();
`,
};
