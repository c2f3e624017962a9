import type { Migration } from './migration.js';

export const tenantDoorLeases: Migration = {
  version: 56,
  name: 'which device admits which tickets without a connection',
  additive: true,
  sql: `
-- One row for each price of an event: the key decides that one device at a time has it.
create table if not exists door_lease (
  event_id uuid not null,
  price_id uuid not null,
  -- No foreign key: a device that is gone may still let people in until its time ends.
  device_id uuid not null,
  holder uuid not null,
  gate_id uuid,
  ends_at timestamptz not null,
  constraint door_lease_pkey primary key (event_id, price_id),
  constraint door_lease_event_id_fkey foreign key (event_id) references event (id) on delete cascade,
  constraint door_lease_price_id_fkey foreign key (price_id) references price (id) on delete cascade
);
`,
};
