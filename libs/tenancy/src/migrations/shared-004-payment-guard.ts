import type { Migration } from './migration.js';

export const sharedPaymentGuard: Migration = {
  version: 4,
  name: 'payment guard',
  sql: `
-- The trigger of tenants' payment tables before updates: amounts, people and times never change. A later fact
-- (the provider's reference, the time of the payment) is written once, and the state changes only by allowed transitions.
create or replace function shared.keep_payment() returns trigger language plpgsql as $body$
begin
  if (new.id, new.kind, new.refund_of, new.reservation_id, new.membership_id, new.provider, new.method, new.amount, new.currency,
      new.reason, new.note, new.by_user_id, new.by_key_id, new.created_at)
    is distinct from (old.id, old.kind, old.refund_of, old.reservation_id, old.membership_id, old.provider, old.method, old.amount,
      old.currency, old.reason, old.note, old.by_user_id, old.by_key_id, old.created_at)
    or old.reference is not null and new.reference is distinct from old.reference
    or old.provider_payment is not null and new.provider_payment is distinct from old.provider_payment
    or old.checkout_url is not null and new.checkout_url is distinct from old.checkout_url
    or old.paid_at is not null and new.paid_at is distinct from old.paid_at
    or old.refund_reference is not null and new.refund_reference is distinct from old.refund_reference
    or old.refunded_at is not null and (new.refunded_at, new.refunded_by, new.refunded_method, new.refunded_note)
      is distinct from (old.refunded_at, old.refunded_by, old.refunded_method, old.refunded_note)
  then
    raise exception 'a payment is never rewritten' using errcode = 'restrict_violation';
  end if;
  if new.status <> old.status and (old.status, new.status) not in (
    ('pending', 'processing'), ('pending', 'paid'), ('pending', 'failed'), ('processing', 'paid'), ('processing', 'failed'),
    ('failed', 'paid'), ('refund_due', 'refunded'), ('refunded', 'refund_failed'))
  then
    raise exception 'a payment does not go from % to %', old.status, new.status using errcode = 'restrict_violation';
  end if;
  return new;
end
$body$;
`,
};
