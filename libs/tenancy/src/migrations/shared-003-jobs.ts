import type { Migration } from './migration.js';

export const sharedJobs: Migration = {
  version: 3,
  name: 'jobs',
  sql: `
-- Background jobs of tenants, written in the transaction that requests them. While a worker leases a job, due_at is null (unless it
-- was added again) and leased_until is the end of the lease.
create table if not exists shared.job (
  id bigint generated always as identity not null,
  tenant_id uuid not null,
  kind text not null,
  subject_id uuid not null,
  due_at timestamptz,
  attempts integer default 0 not null,
  revision integer default 1 not null,
  leased_until timestamptz,
  lease_owner uuid,
  last_error text,
  constraint job_pkey primary key (id),
  constraint job_tenant_id_kind_subject_id_key unique (tenant_id, kind, subject_id),
  constraint job_tenant_id_fkey foreign key (tenant_id) references shared.tenant (id) on delete cascade,
  constraint job_lease_check check ((leased_until is null) = (lease_owner is null)),
  constraint job_due_check check (due_at is not null or leased_until is not null)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
create index if not exists job_claim_idx on shared.job (coalesce(leased_until, due_at));
`,
};
