import type { Migration } from './migration.js';

export const tenantEventNotices: Migration = {
  version: 69,
  name: 'mails to the guests of events',
  additive: true,
  sql: `
create table if not exists event_notice (
  id uuid primary key default gen_random_uuid(),
  event_id uuid not null references event on delete cascade,
  kind text not null,
  audience text not null default 'holders',
  price_ids uuid[],
  texts jsonb,
  note text,
  before jsonb,
  user_id uuid,
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
alter table mail add column if not exists notice_id uuid references event_notice on delete cascade;
`,
};
