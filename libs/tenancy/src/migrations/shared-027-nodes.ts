import type { Migration } from './migration.js';

export const sharedNodes: Migration = {
  version: 27,
  name: 'nodes',
  additive: true,
  sql: `
-- One row: this node. A statement that also names a table of the node reads the node's own copy of a reference table.
create table if not exists shared.node (
  id smallint default 1 not null,
  -- Version of the other tables of this kind; unused at home, where shared.installation has it.
  schema_version integer default 0 not null,
  constraint node_pkey primary key (id),
  constraint node_id_check check (id = 1)
);
insert into shared.node default values on conflict do nothing;

-- As before, and it asks no other node. GU001 and GU002 are described in the migration "entry of transactions".
create or replace function shared.enter_tenant(
  tenant uuid, lock_key integer, path text, expected_state text, expected_category text, key_id text
) returns void language plpgsql volatile as $body$
declare
  state_now text;
  category_now text;
  key_now record;
begin
  perform pg_catalog.pg_advisory_xact_lock_shared(7263, lock_key);
  select t.state, t.category into state_now, category_now from shared.tenant t, shared.node
    where t.id = enter_tenant.tenant;
  if state_now is distinct from expected_state or category_now is distinct from expected_category then
    raise exception 'the tenant has changed' using errcode = 'GU001',
      detail = pg_catalog.jsonb_build_object('state', state_now, 'category', category_now)::text;
  end if;
  if key_id is not null then
    select k.revoked_at is not null as revoked, coalesce(k.expires_at <= pg_catalog.now(), false) as expired,
        k.suspended_at is not null as suspended
      into key_now from shared.api_key k where k.id = enter_tenant.key_id and k.tenant_id = enter_tenant.tenant;
    if not found or key_now.revoked or key_now.expired or key_now.suspended then
      raise exception 'the key may not be used' using errcode = 'GU002', detail = pg_catalog.jsonb_build_object(
        'deleted', not found, 'revoked', key_now.revoked, 'expired', key_now.expired, 'suspended', key_now.suspended)::text;
    end if;
  end if;
  -- Last, because PostgreSQL plans the statements of the function again when the search path is another one.
  perform pg_catalog.set_config('search_path', path, true);
end
$body$;

-- Tenants are changed last: other statements lock rows of these tables before a tenant, too.
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

-- The database server that has the tenant's schema: a group of pg_dist_node; 0: the one that DATABASE_URL leads to.
alter table shared.tenant add column if not exists node integer default 0 not null;
`,
};
