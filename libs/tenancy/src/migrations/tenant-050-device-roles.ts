import type { Migration } from './migration.js';

export const tenantDeviceRoles: Migration = {
  version: 50,
  name: 'roles of scanning devices',
  additive: true,
  sql: `
alter table scanning_device add column if not exists role text storage plain not null default 'scan';
update scanning_device set role = 'search' where may_search_tickets and role = 'scan';
alter table scanning_device drop constraint if exists scanning_device_role_check;
alter table scanning_device add constraint scanning_device_role_check check (role in ('scan', 'search', 'supervisor', 'kiosk'));
`,
};
