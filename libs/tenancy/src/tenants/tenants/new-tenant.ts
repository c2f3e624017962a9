import type { Language } from '#kernel';
import type { CategoryCode } from '../../database/context/tenant-categories.js';
import type { Tx } from '../../database/transactions/tx.js';
import { latestTenant } from '../../migrations/index.js';

export interface NewTenant {
  readonly slug: string;
  readonly name: string;
  readonly category: CategoryCode;
  readonly language?: Language;
  readonly timeZone?: string;
  /** Primary host name; default `<slug>.BASE_DOMAIN`. */
  readonly host?: string;
  /** First administrator. */
  readonly ownerId?: string;
  /** The database server for its schema; default: the one with the fewest tenants. */
  readonly node?: number;
  readonly configuration?: Partial<Record<ConfigurationColumn, string | null>>;
  /** Writes further rows into the new schema, in the same transaction, before the foundations of other libs. */
  readonly furnish?: (tx: Tx) => Promise<void>;
}

/** Editable identity of a tenant. Absent members do not change. */
export interface IdentityChange {
  readonly name?: string | undefined;
  readonly language?: Language | undefined;
  readonly timeZone?: string | undefined;
}

export const configurationColumns = [
  'short_description',
  'long_description',
  'street_address',
  'postal_code',
  'city',
  'country',
  'phone',
  'email',
  'website',
  'twitter',
  'facebook',
  'instagram',
  'legal_documents',
  'restaurant_menu',
  'imprint',
  'terms',
] as const;
export type ConfigurationColumn = (typeof configurationColumns)[number];

/** SQL that reads a `TenantIdentity`; its tables are `t` and `p`. For statements on shared tables that return it with other columns. */
export const tenantIdentitySql = {
  columns: `t.id, t.slug, t.name, t.category, t.schema_name as "schemaName", t.node, t.language,
  t.state, t.state_reason as "stateReason",
  case when t.state <> 'active' then (select coalesce(o.email, o.phone, o.website) from shared.place o
  where o.tenant_id = t.id) end as contact,
  t.time_zone as "timeZone", coalesce(p.host, '') as host,
  case when t.moving_since is not null then 'moving' when t.schema_version < ${latestTenant} then 'behind'
    when t.required_version > ${latestTenant} then 'newer'
  else 'current' end as "schemaState"`,
  from: 'shared.tenant t left join shared.domain p on p.tenant_id = t.id and p.is_primary',
} as const;
