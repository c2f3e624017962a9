import type { Migration } from './migration.js';

export const tenantFoundEvents: Migration = {
  version: 63,
  name: 'details of events, and places with parts of an address',
  additive: true,
  sql: `
alter table event add column if not exists details jsonb;
alter table postal_address alter column street_address drop not null;
alter table postal_address alter column address_locality drop not null;
alter table postal_address alter column postal_code drop not null;
alter table postal_address alter column address_country drop not null;
`,
};
