import type { Migration } from './migration.js';
import { clockId } from './clock-id.js';

export const tenantWebhooks: Migration = {
  version: 5,
  name: 'webhooks',
  sql: `
-- Every published change increases the sequence number of its object.
alter table event add column if not exists sequence integer default 0 not null;
alter table reservation add column if not exists sequence integer default 0 not null;
alter table ticket add column if not exists sequence integer default 0 not null;

-- The counter of the feed. Positions are assigned while its row is locked, so that they become visible in order and without gaps.
create table if not exists webhook_feed (
  id smallint default 1 not null,
  last_position bigint default 0 not null,
  pruned_position bigint default 0 not null,
  constraint webhook_feed_pkey primary key (id),
  constraint webhook_feed_id_check check (id = 1)
);
insert into webhook_feed default values on conflict do nothing;

create table if not exists webhook_event (
  id uuid not null,
  position bigint,
  type text not null,
  subject_id text not null,
  sequence integer not null,
  occurred_at timestamptz not null,
  data json not null,
  constraint webhook_event_pkey primary key (id),
  constraint webhook_event_position_key unique (position)
);
create index if not exists webhook_event_occurred_at_idx on webhook_event (occurred_at);

create table if not exists webhook_endpoint (
  id uuid default gen_random_uuid() not null,
  url text storage plain not null,
  description text storage plain,
  types text[] storage plain not null,
  sealed_secret bytea storage plain not null,
  sealed_previous_secret bytea storage plain,
  previous_secret_expires_at timestamptz,
  disabled_at timestamptz,
  disabled_reason text storage plain,
  failing_since timestamptz,
  paused_until timestamptz,
  last_success_at timestamptz,
  created_at timestamptz default now() not null,
  constraint webhook_endpoint_pkey primary key (id),
  constraint webhook_endpoint_types_check check (cardinality(types) > 0),
  constraint webhook_endpoint_disabled_check check ((disabled_at is null) = (disabled_reason is null)),
  constraint webhook_endpoint_disabled_reason_check check (disabled_reason in ('staff', 'gone', 'failing')),
  constraint webhook_endpoint_previous_secret_check check ((sealed_previous_secret is null) = (previous_secret_expires_at is null))
);

create table if not exists webhook_delivery (
  id uuid default gen_random_uuid() not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  status text storage plain default 'waiting' not null,
  attempts integer default 0 not null,
  failures integer default 0 not null,
  next_attempt_at timestamptz,
  ahead_of_schedule boolean default false not null,
  last_attempt_at timestamptz,
  last_status integer,
  last_failure text storage plain,
  created_at timestamptz default now() not null,
  constraint webhook_delivery_pkey primary key (id),
  constraint webhook_delivery_endpoint_id_fkey foreign key (endpoint_id) references webhook_endpoint (id) on delete cascade,
  constraint webhook_delivery_event_id_fkey foreign key (event_id) references webhook_event (id) on delete cascade,
  constraint webhook_delivery_status_check check (status in ('waiting', 'delivered', 'failed')),
  constraint webhook_delivery_next_attempt_check check ((status = 'waiting') = (next_attempt_at is not null))
) with (fillfactor = 70);
create index if not exists webhook_delivery_created_at_idx on webhook_delivery (created_at);
create unique index if not exists webhook_delivery_event_idx on webhook_delivery (event_id, endpoint_id);
-- Only waiting deliveries, for the query of the worker.
create index if not exists webhook_delivery_waiting on webhook_delivery (endpoint_id, next_attempt_at) where status = 'waiting';

create table if not exists webhook_attempt (
  id bigint default ${clockId} not null,
  delivery_id uuid not null,
  attempted_at timestamptz not null,
  milliseconds integer not null,
  status integer,
  failure text storage plain,
  answer text storage plain,
  constraint webhook_attempt_pkey primary key (id),
  constraint webhook_attempt_delivery_id_fkey foreign key (delivery_id) references webhook_delivery (id) on delete cascade
);
`,
};
