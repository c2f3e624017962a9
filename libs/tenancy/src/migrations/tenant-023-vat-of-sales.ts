import type { Migration } from './migration.js';

/** Copy of the rates at the time of this migration, because a migration must not change with the program. */
const rate = `case price.vat when 'NA' then 0 when 'DX' then 10 when 'VG' then 20 when 'HC' then 8.5 when 'DD' then 2.2
  else price.vat::numeric end`;

export const tenantVatOfSales: Migration = {
  version: 23,
  name: 'VAT of sales',
  sql: `
-- The VAT rate in percent at the time of the sale; it does not change with the price.
alter table ticket add column if not exists vat_rate numeric(4, 2) storage plain;
alter table membership add column if not exists vat_rate numeric(4, 2) storage plain;
update ticket set vat_rate = ${rate} from price where price.id = ticket.price_id and ticket.vat_rate is null;
update membership set vat_rate = ${rate} from price where price.id = membership.price_id and membership.vat_rate is null;
`,
};
