import type { Migration } from './migration.js';

export const tenantCartMemberships: Migration = {
  version: 44,
  name: 'memberships in carts',
  additive: true,
  sql: `
-- Memberships that a buyer wants to pay together with the reservations of a cart, until the contact form is sent.
create table if not exists cart_membership (
  id uuid primary key default gen_random_uuid(),
  cart_id uuid not null,
  product_id uuid not null,
  price_id uuid not null,
  created_at timestamptz not null default now(),
  constraint cart_membership_product_id_fkey foreign key (product_id) references product (id) on delete cascade,
  constraint cart_membership_price_id_fkey foreign key (price_id) references price (id) on delete cascade
);
create unique index if not exists cart_membership_product_idx on cart_membership (cart_id, product_id);
-- The cart with which a membership was bought.
alter table membership add column if not exists cart_id uuid;
create index if not exists membership_cart_idx on membership (cart_id) where cart_id is not null;
`,
};
