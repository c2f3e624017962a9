import type { Migration } from './migration.js';

export const tenantMailTexts: Migration = {
  version: 45,
  name: 'own texts in mails',
  additive: true,
  sql: `
create table if not exists mail_text (
  kind text not null,
  language text not null,
  part text not null,
  text text not null,
  updated_at timestamptz not null default now(),
  primary key (kind, language, part)
);
-- A test mail to a member of staff is about nothing.
alter table mail drop constraint if exists mail_subject_check;
alter table mail add constraint mail_subject_check
  check (num_nonnulls(reservation_id, membership_id, waiting_entry_id) = case when kind = 'test' then 0 else 1 end);
alter table mail add column if not exists ticket_ids uuid[];
create index if not exists mail_test_idx on mail (recipient, created_at) where kind = 'test';

alter table ticket_transfer add column if not exists to_key text storage plain;
alter table ticket_transfer add column if not exists from_name text storage plain not null default '';
alter table ticket_transfer add column if not exists to_name text storage plain not null default '';
create index if not exists ticket_transfer_to_idx on ticket_transfer (to_key, created_at);
alter table ticket add column if not exists renames smallint not null default 0;
alter table ticket add column if not exists renamed_since timestamptz;
`,
};
