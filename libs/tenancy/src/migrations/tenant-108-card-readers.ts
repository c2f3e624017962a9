import type { Migration } from './migration.js';
import { triggersOf, type RecordedTable } from './tenant-094-changes.js';

/** The tables of this version whose changes are recorded. */
export const recordedWithCardReaders = {
  card_reader: { kind: 'money' },
} as const satisfies Readonly<Record<string, RecordedTable>>;

export const tenantCardReaders: Migration = {
  version: 108,
  name: 'card readers',
  additive: true,
  sql: `
create table if not exists card_reader (
  id uuid primary key default gen_random_uuid(),
  name text storage plain not null,
  provider text storage plain not null,
  account_id uuid not null,
  reference text storage plain not null,
  by_user_id uuid,
  created_at timestamptz not null default now()
);
alter table payment add column if not exists reader_id uuid;
alter table payment add column if not exists reader_fault text;
-- A reader takes one payment at a time.
create unique index if not exists payment_reader_idx on payment (reader_id) where reader_id is not null and status = 'pending';
${Object.entries(recordedWithCardReaders)
  .flatMap(([table, recorded]) => triggersOf(table, recorded))
  .join('')}
`,
};
