import type { Migration } from './migration.js';

export const tenantCancelledTickets: Migration = {
  version: 57,
  name: 'when tickets were cancelled',
  additive: true,
  sql: `
-- Of a ticket that was cancelled alone; of a whole reservation, the reservation has it.
alter table ticket add column if not exists cancelled_at timestamptz;
`,
};
