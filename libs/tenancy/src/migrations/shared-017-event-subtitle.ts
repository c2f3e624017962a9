import type { Migration } from './migration.js';

export const sharedEventSubtitle: Migration = {
  version: 17,
  name: 'subtitle of events',
  sql: `
alter table shared.federated_event add column if not exists subtitle text;
`,
};
