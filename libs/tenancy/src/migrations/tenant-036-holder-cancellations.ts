import type { Migration } from './migration.js';

export const tenantHolderCancellations: Migration = {
  version: 36,
  name: 'cancellations by holders',
  additive: true,
  sql: `
alter table configuration add column if not exists holders_may_cancel boolean not null default true;
`,
};
