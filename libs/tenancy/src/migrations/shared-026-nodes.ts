import type { Migration } from './migration.js';

export const sharedNodes: Migration = {
  version: 26,
  name: 'nodes',
  additive: true,
  sql: `
-- The database server that has the tenant's schema: a group of pg_dist_node; 0: the one that DATABASE_URL leads to.
alter table shared.tenant add column if not exists node integer default 0 not null;

-- Rows of these tables are on the tenant's node, where tenants and users are copies that no foreign key may name. Statements delete them.
alter table shared.api_key drop constraint if exists api_key_tenant_id_fkey;
alter table shared.api_key drop constraint if exists api_key_owner_id_fkey;
alter table shared.webhook_queue drop constraint if exists webhook_queue_tenant_id_fkey;
alter table shared.job drop constraint if exists job_tenant_id_fkey;
alter table shared.panel_session drop constraint if exists panel_session_tenant_id_fkey;
alter table shared.panel_session drop constraint if exists panel_session_user_id_fkey;
alter table shared.support_visit drop constraint if exists support_visit_tenant_id_fkey;
alter table shared.support_visit drop constraint if exists support_visit_user_id_fkey;
alter table shared.place_request drop constraint if exists place_request_tenant_id_fkey;
alter table shared.place_request drop constraint if exists place_request_user_id_fkey;
alter table shared.tenant_welcome drop constraint if exists tenant_welcome_tenant_id_fkey;
alter table shared.tenant_usage drop constraint if exists tenant_usage_tenant_id_fkey;
alter table shared.password_link drop constraint if exists password_link_tenant_id_fkey;
alter table shared.password_link drop constraint if exists password_link_user_id_fkey;
`,
};
