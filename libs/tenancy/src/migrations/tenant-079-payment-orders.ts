import type { Migration } from './migration.js';

export const tenantPaymentOrders: Migration = {
  version: 79,
  name: 'orders of payments',
  additive: true,
  sql: `
-- null: the payment was recorded before its order was written, or by an older program; a scheduled task fills it.
alter table payment add column if not exists order_id uuid references orders (id);
create index if not exists payment_order_id_idx on payment (order_id);

create or replace function keep_order_of_payment() returns trigger language plpgsql as $body$
begin
  raise exception 'a payment stays with its order' using errcode = 'restrict_violation';
end
$body$;
create or replace trigger payment_keeps_order before update of order_id on payment for each row
  when (old.order_id is not null and new.order_id is distinct from old.order_id) execute function keep_order_of_payment();
`,
};
