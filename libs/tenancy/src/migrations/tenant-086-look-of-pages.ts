import type { Migration } from './migration.js';

export const tenantLookOfPages: Migration = {
  version: 86,
  name: 'look of the public pages',
  additive: true,
  sql: `
alter table configuration add column if not exists typeface text not null default 'programme';
alter table configuration add column if not exists corners text not null default 'square';
`,
};
