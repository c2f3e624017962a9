import type { Migration } from './migration.js';
import { recordedSince94, triggersOf, type RecordedTable } from './tenant-094-changes.js';

/** A withdrawal from goods that were handed out changes nothing else of the ticket. */
export const recordedWithWithdrawals = {
  ticket: {
    ...(recordedSince94['ticket'] as RecordedTable),
    updates: `old.status in ('K', 'S', 'R') and (old.first_name, old.last_name, old.holder_email, old.cancelled_at, old.withdrawn_at)
      is distinct from (new.first_name, new.last_name, new.holder_email, new.cancelled_at, new.withdrawn_at)`,
  },
} as const satisfies Readonly<Record<string, RecordedTable>>;

export const tenantWithdrawals: Migration = {
  version: 98,
  name: 'withdrawals from contracts',
  additive: true,
  sql: `
-- When the buyer withdrew from the contract (Directive 2011/83/EU, articles 9 and 11a).
alter table ticket add column if not exists withdrawn_at timestamptz;
alter table membership add column if not exists withdrawn_at timestamptz;
alter table reservation drop constraint if exists reservation_cancel_reason_check;
alter table reservation add constraint reservation_cancel_reason_check
  check (cancel_reason in ('holder', 'staff', 'event', 'expired', 'payment_failed', 'too_late', 'limit', 'withdrawal'));
alter table payment drop constraint if exists payment_reason_check;
alter table payment add constraint payment_reason_check check (reason in ('cancelled', 'late', 'provider', 'method', 'withdrawal'));
${Object.entries(recordedWithWithdrawals)
  .flatMap(([table, recorded]) => triggersOf(table, recorded))
  .join('')}
`,
};
