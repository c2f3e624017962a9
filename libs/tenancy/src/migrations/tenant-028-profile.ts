import type { Migration } from './migration.js';

const carried = `short_description, long_description, street_address, postal_code, city, country, phone, email, website,
    membership_required, membership_button, twitter, facebook, instagram, legal_documents, restaurant_menu, image_id,
    logo_image_id, map_image_id`;
const names = carried.split(/,\s*/);

export const tenantProfile: Migration = {
  version: 28,
  name: 'profile',
  additive: true,
  sql: `
alter table configuration
  add column if not exists membership_required boolean default false not null,
  add column if not exists membership_button boolean default false not null,
  add column if not exists twitter text,
  add column if not exists facebook text,
  add column if not exists instagram text,
  add column if not exists legal_documents text,
  add column if not exists restaurant_menu text,
  add column if not exists imprint text,
  add column if not exists terms text,
  add column if not exists image_id uuid,
  add column if not exists logo_image_id uuid,
  add column if not exists map_image_id uuid,
  add column if not exists updated_at timestamptz default now() not null;

-- Creates the public record of a tenant with a configuration. A tenant that is being created has none yet; its record is written later in
-- the same transaction. Two statements, because a tenant's tables must not be joined with shared ones.
do $body$
declare
  profile configuration%rowtype;
begin
  select * into profile from configuration where id = 1;
  if not found then return; end if;
  insert into shared.place (tenant_id, slug, name, category, created_at, ${carried})
    select t.id, t.slug, t.name, t.category, t.created_at, ${names.map((name) => `profile.${name}`).join(', ')}
    from shared.tenant t where t.schema_name = current_schema()
    on conflict (tenant_id) do update set ${names.map((name) => `${name} = excluded.${name}`).join(', ')}, updated_at = excluded.updated_at;
end
$body$;
`,
};
