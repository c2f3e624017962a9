import type { Migration } from './migration.js';

export const tenantEventCancellations: Migration = {
  version: 13,
  name: 'event cancellations',
  sql: `
-- A cancelled event whose reservations are cancelled one by one, with the note for their holders.
create table if not exists event_cancellation (
  event_id uuid not null,
  note text storage plain,
  user_id uuid,
  created_at timestamptz default now() not null,
  finished_at timestamptz,
  constraint event_cancellation_pkey primary key (event_id),
  constraint event_cancellation_event_id_fkey foreign key (event_id) references event (id) on delete cascade
);
`,
};
