import type { Migration } from './migration.js';

export const tenantIdempotentOutcome: Migration = {
  version: 15,
  name: 'idempotent outcome',
  sql: `
-- What the work of a keyed request returned, sealed, written in the transaction of the work: a repeat finds it although the answer to
-- COMMIT, or the process, was lost.
alter table idempotent_request add column if not exists outcome bytea;
`,
};
