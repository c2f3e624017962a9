import type { Tx } from '#tenancy';
import type { Profile } from './profile.entity.js';

/** Columns that the public record copies from the configuration. */
export const shownFields = [
  'shortDescription',
  'longDescription',
  'streetAddress',
  'postalCode',
  'city',
  'country',
  'phone',
  'email',
  'website',
  'membershipRequired',
  'membershipButton',
  'twitter',
  'facebook',
  'instagram',
  'legalDocuments',
  'restaurantMenu',
  'imageId',
  'logoImageId',
  'mapImageId',
] as const satisfies readonly (keyof Profile)[];

const columns = shownFields.map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));

// Raw SQL, because the statement itself reads slug, name and category from the tenant: it waits for concurrent changes of them, and the
// foreign key updates the row afterwards. An existing row keeps the columns that follow the tenant.
const upsert = `insert into shared.place (tenant_id, slug, name, category, created_at, ${columns.join(', ')})
  select t.id, t.slug, t.name, t.category, t.created_at, ${columns.map((_, index) => `$${index + 2}`).join(', ')}
  from shared.tenant t where t.id = $1 for key share
  on conflict (tenant_id) do update set ${columns.map((column) => `${column} = excluded.${column}`).join(', ')},
    updated_at = excluded.updated_at`;

/** Writes a tenant's public record, in the transaction that changes its configuration or creates it. */
export async function writePlace(tx: Tx, tenantId: string, profile: Profile): Promise<void> {
  await tx.query(upsert, [tenantId, ...shownFields.map((name) => profile[name])]);
}
