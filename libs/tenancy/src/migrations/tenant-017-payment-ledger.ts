import type { Migration } from './migration.js';

/** Payments that were split off when a ticket was cancelled: created after the payment, or without a checkout. */
const isPart = (row: string): string =>
  `(${row}.provider = 'venue' and ${row}.created_at > ${row}.paid_at or ${row}.provider <> 'venue' and ${row}.reference is null)`;

export const tenantPaymentLedger: Migration = {
  version: 17,
  name: 'payment ledger',
  sql: `
-- A row is a payment or the refund of a payment. Amounts and facts never change (trigger below); only states and later facts are written.
alter table payment add column if not exists kind text default 'payment' not null;
alter table payment add column if not exists refund_of uuid;
alter table payment add column if not exists reason text;
alter table payment add column if not exists by_user_id uuid;
alter table payment add column if not exists by_key_id text;
alter table payment add column if not exists refunded_by uuid;
alter table payment add column if not exists refunded_method text;
alter table payment add column if not exists refunded_note text;
alter table payment add column if not exists attempts integer default 0 not null;
alter table payment add column if not exists asked_until timestamptz;
alter table payment drop constraint if exists payment_status_check;
alter table payment drop constraint if exists payment_reservation_id_fkey;
alter table payment add constraint payment_reservation_id_fkey foreign key (reservation_id) references reservation (id);
alter table payment drop constraint if exists payment_membership_id_fkey;
alter table payment add constraint payment_membership_id_fkey foreign key (membership_id) references membership (id);
alter table payment drop constraint if exists payment_refund_of_fkey;
alter table payment add constraint payment_refund_of_fkey foreign key (refund_of) references payment (id);
create index if not exists payment_refund_of_idx on payment (refund_of);
create index if not exists payment_created_at_idx on payment (created_at);

-- A split-off part becomes a refund of its original payment, which gets its whole amount back.
with part as (
  select split.id, split.amount, (
    select whole.id from payment whole
    where whole.id <> split.id and whole.kind = 'payment' and whole.provider = split.provider and whole.method = split.method
      and whole.reservation_id is not distinct from split.reservation_id and whole.membership_id is not distinct from split.membership_id
      and whole.paid_at = split.paid_at and whole.provider_payment is not distinct from split.provider_payment and not ${isPart('whole')}
    order by whole.created_at, whole.id limit 1) as whole_id
  from payment split where split.kind = 'payment' and split.status in ('refund_due', 'refunded') and ${isPart('split')}),
whole as (
  update payment set amount = payment.amount + parts.amount
  from (select whole_id, sum(amount) as amount from part where whole_id is not null group by whole_id) parts
  where payment.id = parts.whole_id)
update payment set kind = 'refund', refund_of = part.whole_id, reason = 'cancelled', attempts = 1, paid_at = null, provider_payment = null,
  refunded_method = case when status <> 'refunded' then null when provider = 'venue' then method else 'online' end
from part where payment.id = part.id and part.whole_id is not null;

-- For all other payments that were or must be refunded, the refund becomes a separate row.
insert into payment (kind, refund_of, reservation_id, membership_id, provider, method, status, amount, currency, reason, note, attempts,
  created_at, refund_reference, refund_trouble, refunded_at, refunded_method)
select 'refund', old.id, old.reservation_id, old.membership_id, old.provider, old.method, old.status, old.amount - old.given, old.currency,
  case when reservation.status = 'C' or membership.status = 'cancelled' or old.provider = 'venue' then 'cancelled'
    when old.status = 'refund_due' or old.refund_reference is not null or old.refund_trouble is not null then 'late' else 'provider' end,
  old.note, 1, coalesce(reservation.cancelled_at, old.refunded_at, old.paid_at, old.created_at), old.refund_reference, old.refund_trouble,
  case when old.status = 'refunded' then coalesce(old.refunded_at, old.paid_at, old.created_at) end,
  case when old.status <> 'refunded' then null when old.provider = 'venue' then old.method else 'online' end
from (
  select payment.*, (select coalesce(sum(amount), 0) from payment refund where refund.refund_of = payment.id) as given from payment
  where payment.kind = 'payment' and payment.status in ('refund_due', 'refunded')) old
left join reservation on reservation.id = old.reservation_id left join membership on membership.id = old.membership_id
where old.amount > old.given;
update payment set status = 'paid', paid_at = coalesce(paid_at, created_at), note = null, refund_reference = null, refund_trouble = null,
  refunded_at = null where kind = 'payment' and status in ('refund_due', 'refunded');

alter table payment add constraint payment_status_check check (kind = 'payment' and status in ('pending', 'processing', 'paid', 'failed')
  or kind = 'refund' and status in ('refund_due', 'refunded', 'refund_failed'));
alter table payment drop constraint if exists payment_kind_check;
alter table payment add constraint payment_kind_check
  check ((kind = 'refund') = (refund_of is not null) and (kind = 'refund') = (reason is not null));
alter table payment drop constraint if exists payment_reason_check;
alter table payment add constraint payment_reason_check check (reason in ('cancelled', 'late', 'provider'));
alter table payment drop constraint if exists payment_refunded_check;
alter table payment add constraint payment_refunded_check
  check ((status in ('refunded', 'refund_failed')) = (refunded_at is not null and refunded_method is not null));
alter table payment drop constraint if exists payment_refunded_method_check;
alter table payment add constraint payment_refunded_method_check check (refunded_method in ('cash', 'card', 'transfer', 'online'));

create or replace trigger payment_kept before update on payment for each row execute function shared.keep_payment();
create or replace trigger payment_append_only before delete or truncate on payment
  for each statement execute function shared.refuse_change();

-- Who sold it: a member of staff or an API key; neither: the buyer, online. Only ids; names are read when they are shown.
alter table reservation add column if not exists by_user_id uuid;
alter table reservation add column if not exists by_key_id text storage plain;
alter table membership add column if not exists by_user_id uuid;
alter table membership add column if not exists by_key_id text storage plain;
`,
};
