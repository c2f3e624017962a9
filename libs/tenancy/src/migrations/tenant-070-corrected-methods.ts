import type { Migration } from './migration.js';

export const tenantCorrectedMethods: Migration = {
  version: 70,
  name: 'corrected payment methods',
  sql: `
-- A wrong payment method is corrected by two rows: a refund with the reason 'method', at which no money is paid out and which therefore has
-- no method of its own, and a payment with the right method.
alter table payment drop constraint if exists payment_reason_check;
alter table payment add constraint payment_reason_check check (reason in ('cancelled', 'late', 'provider', 'method'));
alter table payment drop constraint if exists payment_refunded_check;
alter table payment add constraint payment_refunded_check
  check ((status in ('refunded', 'refund_failed')) = (refunded_at is not null)
    and (refunded_at is not null and coalesce(reason, '') <> 'method') = (refunded_method is not null));
`,
};
