import type { Migration } from './migration.js';

export const sharedRequiredVersions: Migration = {
  version: 7,
  name: 'required versions',
  sql: `
-- The newest tenant migration that a program must know to work on this schema. Older programs do not serve the tenant.
alter table shared.tenant add column if not exists required_version integer default 0 not null;
`,
};
