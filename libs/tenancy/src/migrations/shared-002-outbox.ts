import type { Migration } from './migration.js';

export const sharedOutbox: Migration = {
  version: 2,
  name: 'outbox',
  sql: `
-- Events that are not dispatched yet. Written in the transaction of the change; the worker moves them to each tenant's
-- webhook_event. No foreign key, because its check would lock the tenant's row at every scan.
create table if not exists shared.outbox (
  tenant_id uuid not null,
  ordinal bigint generated always as identity not null,
  id uuid default gen_random_uuid() not null,
  type text not null,
  subject_id text not null,
  sequence integer not null,
  occurred_at timestamptz default now() not null,
  data json not null,
  constraint outbox_pkey primary key (tenant_id, ordinal)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

-- One row per webhook endpoint: when its next delivery is due, and which worker leases it. Deliveries are in the tenant's tables.
create table if not exists shared.webhook_queue (
  endpoint_id uuid not null,
  tenant_id uuid not null,
  due_at timestamptz,
  failing boolean default false not null,
  leased_until timestamptz,
  leased_by uuid,
  served_at timestamptz default now() not null,
  constraint webhook_queue_pkey primary key (endpoint_id),
  constraint webhook_queue_tenant_id_fkey foreign key (tenant_id) references shared.tenant (id) on delete cascade
) with (fillfactor = 50);
create index if not exists webhook_queue_tenant_id_idx on shared.webhook_queue (tenant_id);

-- When a scheduled task, which one process runs for all, was last started.
create table if not exists shared.chore (
  name text not null,
  begun_at timestamptz default now() not null,
  constraint chore_pkey primary key (name)
);
`,
};
