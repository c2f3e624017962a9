import type { Migration } from './migration.js';

export const sharedFirstSteps: Migration = {
  version: 24,
  name: 'first steps of a tenant',
  additive: true,
  sql: `
alter table shared.tenant_welcome add column if not exists dismissed_at timestamptz;
alter table shared.tenant_welcome add column if not exists is_free boolean not null default false;
`,
};
