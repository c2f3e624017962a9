import type { Migration } from './migration.js';

export const tenantDevicePermissions: Migration = {
  version: 20,
  name: 'device permissions',
  sql: `
-- Searching shows names and addresses of all guests of an event: staff allow it per device.
alter table scanning_device add column if not exists may_search_tickets boolean not null default false;
`,
};
