import type { Migration } from './migration.js';

export const sharedKeyOrigins: Migration = {
  version: 8,
  name: 'origins of keys',
  sql: `
-- The origins of web pages that may use an integration key; empty: none.
alter table shared.api_key add column if not exists allowed_origins text[] default '{}' not null;
`,
};
