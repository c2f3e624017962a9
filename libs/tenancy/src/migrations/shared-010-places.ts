import type { Migration } from './migration.js';

/** Copy of the kernel's `foldedSql` without punctuation, because a migration must not change with the program. */
const nameKey = `btrim(regexp_replace(replace(replace(replace(translate(
    lower(regexp_replace(normalize(name, NFKD), '[\\u0300-\\u036f]', '', 'g')),
    'øłđı’‘ʼ‐–—', 'oldi''''''---'), 'œ', 'oe'), 'æ', 'ae'), 'ß', 'ss'), '[\\t\\n\\r -/:-@[-\`{-~]+', ' ', 'g'))`;

export const sharedPlaces: Migration = {
  version: 10,
  name: 'places',
  sql: `
-- The copied columns of a place change with its tenant, in the same statement (see place_tenant_fkey).
create unique index if not exists tenant_shown_key on shared.tenant (id, slug, name, category);

-- The public record of each tenant, answered by GET /api/place/. Written in the transaction that changes the tenant's configuration.
create table if not exists shared.place (
  tenant_id uuid not null,
  slug text not null,
  name text not null,
  category text not null,
  name_key text generated always as (${nameKey}) stored,
  short_description text,
  long_description text,
  street_address text,
  postal_code text,
  city text,
  country text,
  phone text,
  email text,
  website text,
  membership_required boolean default false not null,
  membership_button boolean default false not null,
  twitter text,
  facebook text,
  instagram text,
  legal_documents text,
  restaurant_menu text,
  image_id uuid,
  logo_image_id uuid,
  map_image_id uuid,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  constraint place_pkey primary key (tenant_id),
  constraint place_tenant_fkey foreign key (tenant_id, slug, name, category)
    references shared.tenant (id, slug, name, category) on update cascade on delete cascade
);
create index if not exists place_name_key_idx on shared.place (name_key);
create index if not exists place_created_at_idx on shared.place (created_at);

-- Data from the shared schema; the tenant migration "profile" adds the rest.
insert into shared.place (tenant_id, slug, name, category, created_at)
  select id, slug, name, category, created_at from shared.tenant on conflict (tenant_id) do nothing;
`,
};
