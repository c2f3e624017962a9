import type { Migration } from './migration.js';

export const tenantRefusedPayments: Migration = {
  version: 75,
  name: 'payments that a maximum per person refuses',
  additive: true,
  sql: `
alter table reservation drop constraint if exists reservation_cancel_reason_check;
alter table reservation add constraint reservation_cancel_reason_check
  check (cancel_reason in ('holder', 'staff', 'event', 'expired', 'payment_failed', 'too_late', 'limit'));
`,
};
