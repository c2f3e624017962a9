import { latestTenant } from '../migrations/index.js';

/** SQL that reads a `TenantIdentity`; its tables are `t` and `p`. For statements on shared tables that return it with other columns. */
export const tenantIdentitySql = {
  columns: `t.id, t.slug, t.name, t.category, t.schema_name as "schemaName", t.language,
  t.state, t.state_reason as "stateReason",
  case when t.state <> 'active' then (select coalesce(o.email, o.phone, o.website) from shared.place o
  where o.tenant_id = t.id) end as contact,
  t.time_zone as "timeZone", coalesce(p.host, '') as host,
  case when t.schema_version < ${latestTenant} then 'behind' when t.required_version > ${latestTenant} then 'newer'
  else 'current' end as "schemaState"`,
  from: 'shared.tenant t left join shared.domain p on p.tenant_id = t.id and p.is_primary',
} as const;
