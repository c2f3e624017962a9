import type { Migration } from './migration.js';

export const tenantImages: Migration = {
  version: 7,
  name: 'images',
  sql: `
create table if not exists image (
  id uuid not null,
  kind text storage plain not null,
  width integer not null,
  height integer not null,
  created_at timestamptz default now() not null,
  constraint image_pkey primary key (id),
  constraint image_kind_check check (kind in ('jpeg', 'png', 'webp')),
  constraint image_size_check check (width > 0 and height > 0)
);

create table if not exists image_variant (
  image_id uuid not null,
  name text not null,
  format text not null,
  width integer not null,
  height integer not null,
  bytes bytea not null,
  sha256 bytea not null,
  constraint image_variant_pkey primary key (image_id, name, format),
  constraint image_variant_image_id_fkey foreign key (image_id) references image (id) on delete cascade,
  constraint image_variant_name_check check (name in ('fhd', 'hdr', 'med', 'thumbnail')),
  constraint image_variant_format_check check (format in ('webp', 'jpeg', 'png')),
  constraint image_variant_sha256_check check (octet_length(sha256) = 32)
);
-- Images are already compressed.
alter table image_variant alter column bytes set storage external;
`,
};
