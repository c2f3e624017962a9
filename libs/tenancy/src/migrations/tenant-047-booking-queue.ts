import type { Migration } from './migration.js';

export const tenantBookingQueue: Migration = {
  version: 47,
  name: 'booking queue',
  additive: true,
  sql: `
-- Without foreign keys, because rows live for minutes, and a key would lock the event for each of them. Half of each page stays free, so
-- that the updates of ask_by need no new index entries.
create table if not exists booking_queue (
  id uuid primary key,
  event_id uuid not null,
  cart_id uuid,
  network text not null,
  choice jsonb not null,
  arrived_at timestamptz not null,
  ask_by timestamptz not null,
  served_at timestamptz
) with (fillfactor = 50);
create index if not exists booking_queue_next_idx on booking_queue (event_id, arrived_at, id) where served_at is null;
`,
};
