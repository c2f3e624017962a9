import type { Migration } from './migration.js';

/** Columns of events that a sale reads, or that decide whether something is sold. Not `booked`, which each booking changes. */
const ofEvents = [
  'name, slug, category, starts_at, ends_at, alteration, previous_starts_at, capacity, max_per_user, published',
  'is_private, super_event_id, same_as',
];
const ofProducts = ['name, category, built_in, published'];
/** All columns of prices but `sold`, which each sale of goods changes, and the times of changes. */
const ofPrices = [
  'id, product_id, name, short_description, long_description, amount, free_amount, vat, stock, max_per_user',
  'subscription_type, required_membership_id, published, sales_from, sales_until, door_note, entry_rule',
];

/** Bookings change none of these columns, so that PostgreSQL does not call the function for them. */
function raisesItself(table: string, columns: readonly string[]): string {
  const list = columns.join(', ');
  const valuesOf = (row: string): string => list.replaceAll(/\w+/g, (column) => `${row}.${column}`);
  return `
create or replace trigger ${table}_sale_version before update of ${list} on ${table} for each row
  when ((${valuesOf('old')}) is distinct from (${valuesOf('new')})) execute function raise_sale_version();`;
}

/** The function names the schema of the table that changes, because schemas are renamed, and SQL by hand may have another search path. */
const raisesOwner = (owner: string): string => `
create or replace function raise_sale_version_of_${owner}() returns trigger language plpgsql as $body$
begin
  execute format('update %I.${owner} set sale_version = sale_version + 1 where id in ($1, $2)', tg_table_schema)
    using old.${owner}_id, new.${owner}_id;
  return null;
end
$body$;`;

const raisedBy = (table: string, owner: string, change = 'update'): string => `
create or replace trigger ${table}_sale_version after insert or delete or ${change} on ${table} for each row
  execute function raise_sale_version_of_${owner}();`;

/**
 * Triggers raise the versions, because every program and everybody who writes SQL must do so. Their functions are in the schema of the
 * tenant: they move with it, and a later migration of tenants can change columns and functions together.
 */
export const tenantSaleVersions: Migration = {
  version: 76,
  name: 'versions of what is sold',
  additive: true,
  sql: `
-- Raised with each change of what a sale reads of the event, its links and its options; or of the product, its prices and its questions.
alter table event add column if not exists sale_version integer not null default 1;
alter table product add column if not exists sale_version integer not null default 1;

create or replace function raise_sale_version() returns trigger language plpgsql as $body$
begin
  new.sale_version := old.sale_version + 1;
  return new;
end
$body$;
${raisesItself('event', ofEvents)}
${raisesItself('product', ofProducts)}
${raisesOwner('event')}
${raisesOwner('product')}
${raisedBy('event_product', 'event')}
${raisedBy('event_option', 'event')}
${raisedBy('price', 'product', `update of ${ofPrices.join(', ')}`)}
${raisedBy('question', 'product')}

-- Whether a volunteering event sells the built-in product depends on the categories of all products that are linked to it.
create or replace function raise_sale_version_of_slots() returns trigger language plpgsql as $body$
begin
  execute format('with slot as (select event.id from %1$I.event join %1$I.event_product link on link.event_id = event.id
      where link.product_id = $1 and event.category = ''ACT'' order by event.id for no key update of event)
    update %1$I.event set sale_version = sale_version + 1 from slot where event.id = slot.id', tg_table_schema) using new.id;
  return null;
end
$body$;
create or replace trigger product_slots_sale_version after update of category on product for each row
  when (old.category is distinct from new.category) execute function raise_sale_version_of_slots();
`,
};
