import type { Migration } from './migration.js';

export const tenantMembershipNetworks: Migration = {
  version: 58,
  name: 'networks that memberships on the public pages count for',
  additive: true,
  sql: `
-- Keyed hash of the network of a buyer on the public pages, for the limit per network.
alter table membership add column if not exists network text storage plain;
`,
};
