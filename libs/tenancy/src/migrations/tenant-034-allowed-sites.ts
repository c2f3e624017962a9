import type { Migration } from './migration.js';

export const tenantAllowedSites: Migration = {
  version: 34,
  name: 'sites that may show event pages',
  additive: true,
  sql: `
alter table configuration add column if not exists allowed_sites text;
`,
};
