import type { Migration } from './migration.js';

export const tenantAccentColour: Migration = {
  version: 35,
  name: 'colour of the public pages',
  additive: true,
  sql: `
alter table configuration add column if not exists accent_colour text;
`,
};
