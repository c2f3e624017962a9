import type { Migration } from './migration.js';

export const tenantDeviceDecisions: Migration = {
  version: 60,
  name: 'decisions on double entries by devices',
  additive: true,
  sql: `
-- A device that takes an entry back decides, too.
alter table scan_conflict_decision add column if not exists device_id uuid;
alter table scan_conflict_decision alter column user_id drop not null;
`,
};
