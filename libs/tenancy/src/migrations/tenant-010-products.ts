import type { Migration } from './migration.js';

export const tenantProducts: Migration = {
  version: 10,
  name: 'products',
  sql: `
alter table product add column if not exists image_id uuid;
alter table product add column if not exists terms_and_conditions text;
alter table product add column if not exists send_to_cashless boolean default false not null;
alter table product add column if not exists updated_at timestamptz default now() not null;
alter table price add column if not exists updated_at timestamptz default now() not null;

alter table product drop constraint if exists product_image_id_fkey;
alter table product add constraint product_image_id_fkey foreign key (image_id) references image (id) on delete set null;
create unique index if not exists product_one_cashless on product (send_to_cashless) where send_to_cashless;

alter table postal_address add column if not exists image_id uuid;
alter table postal_address add column if not exists sticker_image_id uuid;
alter table postal_address drop constraint if exists postal_address_image_id_fkey;
alter table postal_address add constraint postal_address_image_id_fkey foreign key (image_id) references image (id) on delete set null;
alter table postal_address drop constraint if exists postal_address_sticker_image_id_fkey;
alter table postal_address add constraint postal_address_sticker_image_id_fkey foreign key (sticker_image_id) references image (id)
on delete set null;

-- These columns were not used until now.
alter table event drop constraint if exists event_image_id_fkey;
alter table event add constraint event_image_id_fkey foreign key (image_id) references image (id) on delete set null;
alter table event drop constraint if exists event_sticker_image_id_fkey;
alter table event add constraint event_sticker_image_id_fkey foreign key (sticker_image_id) references image (id) on delete set null;
`,
};
