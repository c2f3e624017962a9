import type { Migration } from './migration.js';

export const tenantEndedHolds: Migration = {
  version: 67,
  name: 'holds that ended, by network',
  additive: true,
  sql: `
-- Tickets that buyers on the pages held and gave up: for a while they count for their network as if it held them.
create table if not exists ended_hold (
  id uuid primary key default gen_random_uuid(),
  event_id uuid not null,
  reservation_id uuid not null,
  network text storage plain not null,
  network_site text storage plain,
  tickets smallint not null,
  seconds integer not null,
  is_first boolean not null,
  ended_at timestamptz not null default now(),
  constraint ended_hold_event_id_fkey foreign key (event_id) references event (id) on delete cascade
);
`,
};
