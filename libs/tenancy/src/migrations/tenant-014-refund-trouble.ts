import type { Migration } from './migration.js';

export const tenantRefundTrouble: Migration = {
  version: 14,
  name: 'refund trouble',
  sql: `
-- Why an automatic refund failed; staff then refund by hand.
alter table payment add column if not exists refund_trouble text;
`,
};
