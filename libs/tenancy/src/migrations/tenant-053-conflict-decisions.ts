import type { Migration } from './migration.js';

export const tenantConflictDecisions: Migration = {
  version: 53,
  name: 'decisions on double entries',
  additive: true,
  sql: `
alter table scan_conflict add column if not exists decision text storage plain;
alter table scan_conflict add column if not exists decisions smallint not null default 0;
alter table scan_conflict drop constraint if exists scan_conflict_decision_check;
alter table scan_conflict add constraint scan_conflict_decision_check check (decision in ('let_stay', 'was_refused', 'same_person'));

-- Every decision of staff, also those that a later one replaced.
create table if not exists scan_conflict_decision (
  conflict_id uuid not null,
  number smallint not null,
  decided_at timestamptz not null default now(),
  decision text storage plain not null,
  note text storage plain,
  user_id uuid not null,
  constraint scan_conflict_decision_pkey primary key (conflict_id, number),
  constraint scan_conflict_decision_conflict_id_fkey foreign key (conflict_id) references scan_conflict (id) on delete cascade,
  constraint scan_conflict_decision_note_check check (length(note) <= 500)
);
`,
};
