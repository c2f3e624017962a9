import type { Migration } from './migration.js';

export const tenantMailTexts: Migration = {
  version: 45,
  name: 'own texts in mails',
  additive: true,
  sql: `
create table if not exists mail_text (
  kind text storage plain not null,
  language text storage plain not null,
  part text storage plain not null,
  text text storage plain not null,
  updated_at timestamptz not null default now(),
  primary key (kind, language, part)
);
-- A test mail to a member of staff is about nothing.
alter table mail drop constraint if exists mail_subject_check;
alter table mail add constraint mail_subject_check
  check (num_nonnulls(reservation_id, membership_id, waiting_entry_id) = case when kind = 'test' then 0 else 1 end);
alter table mail add column if not exists ticket_ids uuid[];

alter table ticket_transfer add column if not exists to_key text storage plain;
alter table ticket_transfer add column if not exists from_name text storage plain not null default '';
alter table ticket_transfer add column if not exists to_name text storage plain not null default '';
alter table ticket add column if not exists renames smallint not null default 0;
alter table ticket add column if not exists renamed_since timestamptz;
`,
};
