import type { Migration } from './migration.js';

export const tenantCarts: Migration = {
  version: 42,
  name: 'carts',
  additive: true,
  sql: `
-- Reservations that a buyer makes together, and the payments of one checkout.
alter table reservation add column if not exists cart_id uuid;
create index if not exists reservation_cart_idx on reservation (cart_id) where cart_id is not null;
alter table payment add column if not exists checkout_id uuid;
create index if not exists payment_checkout_idx on payment (checkout_id) where checkout_id is not null;
`,
};
