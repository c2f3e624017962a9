import type { Migration } from './migration.js';

export const tenantMembershipCards: Migration = {
  version: 12,
  name: 'membership-cards',
  sql: `
-- Whose card was held up to the door, when the code was a membership's.
alter table scan_log add column if not exists membership_id uuid;
`,
};
