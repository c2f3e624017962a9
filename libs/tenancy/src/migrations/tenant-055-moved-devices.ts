import type { Migration } from './migration.js';

export const tenantMovedDevices: Migration = {
  version: 55,
  name: 'moves of scanning devices, seen lines of their quarantine',
  additive: true,
  sql: `
alter table scanning_device add column if not exists moves integer not null default 0;

-- Staff looked at the line. It changes nothing else.
alter table quarantine_line add column if not exists seen_at timestamptz;
alter table quarantine_line add column if not exists seen_by uuid;
`,
};
