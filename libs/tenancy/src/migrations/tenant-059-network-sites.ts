import type { Migration } from './migration.js';

export const tenantNetworkSites: Migration = {
  version: 59,
  name: 'sites of networks that holds and places in queues count for',
  additive: true,
  sql: `
-- Keyed hash of the 48 bits of IPv6 around the network of a buyer on the public pages; null for IPv4.
alter table reservation add column if not exists network_site text storage plain;
alter table booking_queue add column if not exists network_site text;
`,
};
