import type { Migration } from './migration.js';

export const tenantMembershipCards: Migration = {
  version: 12,
  name: 'membership-cards',
  sql: `
-- The membership, when the scanned code is that of a membership card.
alter table scan_log add column if not exists membership_id uuid;
`,
};
