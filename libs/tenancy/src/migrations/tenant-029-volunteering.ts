import type { Migration } from './migration.js';

export const tenantVolunteering: Migration = {
  version: 29,
  name: 'volunteering',
  sql: `
-- Products that every tenant has and that staff do not manage. Volunteers get tickets of this product.
alter table product add column if not exists built_in text;
alter table product drop constraint if exists product_built_in_check;
alter table product add constraint product_built_in_check check (built_in in ('volunteering'));
create unique index if not exists product_built_in_key on product (built_in);

-- Staff may use the name of a built-in product for another product.
alter table product drop constraint if exists product_category_name_key;
create unique index if not exists product_category_name_key on product (category, name) where built_in is null;

-- Names are in the tenant's language. Two statements, because the language is in the shared schema.
do $$
declare
  is_french boolean := coalesce((select language = 'fr' from shared.tenant where schema_name = current_schema()), false);
  volunteering uuid;
begin
  insert into product (name, category, built_in) values (case when is_french then 'Bénévolat' else 'Volunteering' end, 'F', 'volunteering')
    on conflict (built_in) do nothing;
  select id into volunteering from product where built_in = 'volunteering';
  if not exists (select from price where product_id = volunteering) then
    insert into price (product_id, name, amount) values (volunteering, case when is_french then 'Bénévole' else 'Volunteer' end, 0);
  end if;
end $$;
`,
};
