import type { Migration } from './migration.js';

export const sharedTenantMoves: Migration = {
  version: 29,
  name: 'tenant moves',
  additive: true,
  sql: `
-- The database server that the tenant is to move to, and since when it is closed for that. Both null: nothing is under way.
alter table shared.tenant add column if not exists moving_to integer;
alter table shared.tenant add column if not exists moving_since timestamptz;

-- As before, and it also raises GU001 when this server does not have the schema: the tenant is being moved, or was moved to another one.
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
  if state_now is distinct from expected_state or category_now is distinct from expected_category
      or pg_catalog.to_regnamespace(path) is null then
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
`,
};
