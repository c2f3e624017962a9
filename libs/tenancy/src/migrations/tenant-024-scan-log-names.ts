import type { Migration } from './migration.js';

export const tenantScanLogNames: Migration = {
  version: 24,
  name: 'scan log without names',
  sql: `
-- Names are stored in the ticket and the membership; the log has only ids.
set local guichet.retention = 'scan_log';
update scan_log set facts = (facts::jsonb
    #- '{ticket,firstName}' #- '{ticket,lastName}' #- '{membership,firstName}' #- '{membership,lastName}')::json
  where facts is not null;
set local guichet.retention = '';
create index if not exists scan_log_recorded_at_idx on scan_log (recorded_at);
`,
};
