import type { Migration } from './migration.js';

export const tenantWaitingCodes: Migration = {
  version: 97,
  name: 'codes of people on waiting lists',
  additive: true,
  sql: `
-- What a proposal tries. The code may change, or end, until then.
alter table waiting_entry add column if not exists code text storage plain;
`,
};
