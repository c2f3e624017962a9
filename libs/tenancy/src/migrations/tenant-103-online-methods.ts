import type { Migration } from './migration.js';
import { triggersOf, type RecordedTable } from './tenant-094-changes.js';

/** The program reads the ways to pay each day by itself. */
export const recordedWithOnlineMethods = {
  payment_account: { kind: 'money', counter: 'methods_read_at' },
} as const satisfies Readonly<Record<string, RecordedTable>>;

export const tenantOnlineMethods: Migration = {
  version: 103,
  name: 'names of the ways to pay online',
  additive: true,
  sql: `
alter table payment_account add column if not exists methods text[] storage plain not null default '{}';
alter table payment_account add column if not exists methods_read_at timestamptz;
${triggersOf('payment_account', recordedWithOnlineMethods.payment_account).join('')}
`,
};
