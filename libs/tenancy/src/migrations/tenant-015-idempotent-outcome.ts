import type { Migration } from './migration.js';

export const tenantIdempotentOutcome: Migration = {
  version: 15,
  name: 'idempotent outcome',
  sql: `
-- The encrypted result of a request with an Idempotency-Key, written in the transaction of its work. A repeated request reads it when the
-- answer to COMMIT, or the process, was lost.
alter table idempotent_request add column if not exists outcome bytea;
`,
};
