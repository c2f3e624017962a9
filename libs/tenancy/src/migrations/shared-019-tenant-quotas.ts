import type { Migration } from './migration.js';

export const sharedTenantQuotas: Migration = {
  version: 19,
  name: 'daily quotas of tenants',
  additive: true,
  sql: `
-- Quotas that an operator gave a tenant; null: those of the server.
create table if not exists shared.tenant_quota (
  tenant_id uuid not null,
  mails integer,
  megabytes integer,
  bookings integer,
  changed_at timestamptz default now() not null,
  constraint tenant_quota_pkey primary key (tenant_id),
  constraint tenant_quota_tenant_id_fkey foreign key (tenant_id) references shared.tenant (id) on delete cascade
);

-- What a tenant used on a day (UTC).
create table if not exists shared.tenant_usage (
  tenant_id uuid not null,
  day date not null,
  kind text not null,
  used bigint not null,
  -- The part of the quota, in percent, of which operators were told.
  told smallint default 0 not null,
  constraint tenant_usage_pkey primary key (tenant_id, day, kind),
  constraint tenant_usage_tenant_id_fkey foreign key (tenant_id) references shared.tenant (id) on delete cascade
);
create index if not exists tenant_usage_day_idx on shared.tenant_usage (day);
`,
};
