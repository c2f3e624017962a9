import type { Migration } from './migration.js';

/** Columns of prices that a sale reads: those of version 76 with the new one. */
const ofPrices = [
  'id, product_id, name, short_description, long_description, amount, free_amount, vat, stock, max_per_user',
  'subscription_type, required_membership_id, published, sales_from, sales_until, door_note, entry_rule, whole_series',
].join(', ');

export const tenantPasses: Migration = {
  version: 89,
  name: 'prices for all dates of a series',
  additive: true,
  sql: `
alter table price add column if not exists whole_series boolean not null default false;
create or replace trigger price_sale_version after insert or delete or update of ${ofPrices} on price for each row
  execute function raise_sale_version_of_product();
`,
};
