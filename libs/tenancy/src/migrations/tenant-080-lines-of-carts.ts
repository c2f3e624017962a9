import type { Migration } from './migration.js';

export const tenantLinesOfCarts: Migration = {
  version: 80,
  name: 'lines of carts',
  additive: true,
  sql: `
-- A donation belongs to an order itself, and is sold at no price.
alter table order_line drop constraint if exists order_line_kind_check;
alter table order_line add constraint order_line_kind_check check (kind in ('ticket', 'goods', 'membership', 'donation'));
alter table order_line alter column price_id drop not null;
alter table order_line alter column product_id drop not null;
alter table order_line drop constraint if exists order_line_price_check;
alter table order_line add constraint order_line_price_check check (kind = 'donation' or price_id is not null and product_id is not null);

-- So does its payment.
alter table payment drop constraint if exists payment_subject_check;
alter table payment add constraint payment_subject_check
  check ((reservation_id is null or membership_id is null) and coalesce(reservation_id, membership_id, order_id) is not null);

-- Amounts that buyers may add, separated by spaces; null: none are asked for.
alter table configuration add column if not exists donations text;

-- Memberships of carts are lines of their open orders. A later migration drops the former table.
insert into orders (id, channel, created_at)
  select cart_id, 'page', min(created_at) from cart_membership group by 1 on conflict (id) do nothing;
insert into order_line (id, order_id, position, kind, price_id, product_id, name, quantity, unit_amount, amount, vat_rate, vat_amount,
    created_at)
  select chosen.id, chosen.cart_id, 0, 'membership', price.id, product.id, concat(product.name, ' · ', price.name), 1, price.amount,
    price.amount, 0, 0, chosen.created_at
  from cart_membership chosen join price on price.id = chosen.price_id join product on product.id = chosen.product_id
  join orders on orders.id = chosen.cart_id and orders.state = 'open' on conflict (id) do nothing;
`,
};
