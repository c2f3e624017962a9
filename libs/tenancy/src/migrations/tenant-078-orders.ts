import type { Migration } from './migration.js';

export const tenantOrders: Migration = {
  version: 78,
  name: 'orders with lines',
  additive: true,
  sql: `
-- What a buyer buys at once. Sales from before are added by a scheduled task.
create table if not exists orders (
  id uuid primary key,
  version integer not null default 1,
  state text storage plain not null default 'open' constraint orders_state_check check (state in ('open', 'placed', 'void')),
  channel text storage plain not null constraint orders_channel_check check (channel in ('api', 'panel', 'page')),
  by_user_id uuid,
  by_key_id text storage plain,
  currency text storage plain not null default 'EUR',
  created_at timestamptz not null default now(),
  placed_at timestamptz,
  void_at timestamptz,
  constraint orders_times_check check ((state = 'void') = (void_at is not null) and (state <> 'placed' or placed_at is not null))
);

create table if not exists order_line (
  id uuid primary key,
  order_id uuid not null references orders (id),
  position integer not null,
  kind text storage plain not null constraint order_line_kind_check check (kind in ('ticket', 'goods', 'membership')),
  price_id uuid not null references price (id),
  -- No foreign key: it would lock the product behind the event, but changes lock products first. The key of the price holds it, too.
  product_id uuid not null,
  event_id uuid references event (id),
  -- Programs without orders delete holds during a rollout. The trigger below keeps the lines of placed orders.
  reservation_id uuid references reservation (id) on delete cascade,
  membership_id uuid references membership (id),
  of_line uuid references order_line (id),
  name text storage plain not null,
  quantity integer not null constraint order_line_quantity_check check ((quantity > 0) = (of_line is null) and quantity <> 0),
  unit_amount numeric(10, 2) storage plain not null,
  amount numeric(10, 2) storage plain not null constraint order_line_amount_check check (amount = quantity * unit_amount),
  vat_rate numeric(5, 2) storage plain not null,
  vat_amount numeric(10, 2) storage plain not null,
  effective_at timestamptz,
  by_user_id uuid,
  by_key_id text storage plain,
  created_at timestamptz not null default now()
);
create index if not exists order_line_order_id_idx on order_line (order_id);
create index if not exists order_line_reservation_id_idx on order_line (reservation_id);
create index if not exists order_line_of_line_idx on order_line (of_line);

-- The function names the schema of the table that changes, because schemas are renamed.
create or replace function keep_line() returns trigger language plpgsql as $body$
declare state text;
begin
  execute format('select state from %I.orders where id = $1', tg_table_schema) into state using old.order_id;
  if state = 'open' then
    return coalesce(new, old);
  end if;
  if tg_op = 'UPDATE' and old.effective_at is null and to_jsonb(new) - 'effective_at' = to_jsonb(old) - 'effective_at' then
    return new;
  end if;
  raise exception 'a line of a placed order is never rewritten' using errcode = 'restrict_violation';
end
$body$;
create or replace trigger order_line_kept before update or delete on order_line for each row execute function keep_line();

alter table ticket add column if not exists line_id uuid references order_line (id);
create index if not exists ticket_line_id_idx on ticket (line_id);
`,
};
