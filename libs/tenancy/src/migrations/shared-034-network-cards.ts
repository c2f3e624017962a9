import type { Migration } from './migration.js';

export const sharedNetworkCards: Migration = {
  version: 34,
  name: 'gift cards of networks',
  additive: true,
  sql: `
-- Whether the venue takes gift cards of other members of the network, and whether its own are valid at them.
alter table shared.network_member add column if not exists takes_cards boolean default false not null;
alter table shared.network_member add column if not exists gives_cards boolean default false not null;

-- Which venue issued the card with a code. Each node has the cards of its own tenants; the codes are not in it.
create table if not exists shared.network_card (
  -- SHA-256 of the code.
  code_hash bytea not null,
  tenant_id uuid not null,
  card_id uuid not null,
  constraint network_card_pkey primary key (code_hash, tenant_id)
);
create index if not exists network_card_tenant_id_idx on shared.network_card (tenant_id);
`,
};
