import type { Migration } from './migration.js';

export const tenantDevicePermissions: Migration = {
  version: 20,
  name: 'device permissions',
  sql: `
-- The search shows names and e-mail addresses of all guests of an event, so staff allow it per device.
alter table scanning_device add column if not exists may_search_tickets boolean not null default false;
`,
};
