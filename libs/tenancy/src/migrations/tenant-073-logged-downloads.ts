import type { Migration } from './migration.js';

export const tenantLoggedDownloads: Migration = {
  version: 73,
  name: 'devices that got names of guests in the scan log',
  additive: true,
  sql: `
alter table scan_log drop constraint if exists scan_log_action_check;
alter table scan_log add constraint scan_log_action_check
  check (action in ('check', 'scan', 'undo', 'fulfil', 'undo_fulfil', 'download'));
`,
};
