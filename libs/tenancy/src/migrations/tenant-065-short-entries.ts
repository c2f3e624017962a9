import type { Migration } from './migration.js';

export const tenantShortEntries: Migration = {
  version: 65,
  name: 'entries of waiting lists that want more than is free',
  additive: true,
  sql: `
-- When places were first free, but too few for the entry: after one round the list passes it.
alter table waiting_entry add column if not exists short_since timestamptz;
`,
};
