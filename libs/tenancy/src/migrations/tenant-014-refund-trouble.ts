import type { Migration } from './migration.js';

export const tenantRefundTrouble: Migration = {
  version: 14,
  name: 'refund trouble',
  sql: `
-- Why money that is due does not go back by itself: then somebody gives it back by hand.
alter table payment add column if not exists refund_trouble text;
`,
};
