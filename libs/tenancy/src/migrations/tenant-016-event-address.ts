import type { Migration } from './migration.js';

export const tenantEventAddress: Migration = {
  version: 16,
  name: 'event address',
  sql: `
-- URL of a page about the event, sent by an integration. Unlike same_as it does not make the event external.
alter table event add column if not exists url text;
-- An option that somebody chose is not deleted, only no longer offered.
alter table event_option add column if not exists published boolean default true not null;
`,
};
