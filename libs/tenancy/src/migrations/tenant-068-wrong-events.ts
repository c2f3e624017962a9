import type { Migration } from './migration.js';

export const tenantWrongEvents: Migration = {
  version: 68,
  name: 'tickets for another event in the ledger of double entries',
  additive: true,
  sql: `
alter table scan_conflict add column if not exists kind text storage plain not null default 'double_entry';
alter table scan_conflict drop constraint if exists scan_conflict_kind_check;
alter table scan_conflict add constraint scan_conflict_kind_check check (kind in ('double_entry', 'wrong_event'));
`,
};
