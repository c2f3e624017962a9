import type { Migration } from './migration.js';

export const tenantIdempotency: Migration = {
  version: 6,
  name: 'idempotency',
  sql: `
-- Requests with an Idempotency-Key and their answers, for a day. The first insert of an id decides who executes the request. id and hash
-- are digests, so that neither keys nor bodies are stored. Answers are encrypted, because some of them contain a secret.
create table if not exists idempotent_request (
  id bytea not null,
  request_hash bytea not null,
  holder uuid not null,
  held_until timestamptz,
  begun_at timestamptz default now() not null,
  status integer,
  sealed_answer bytea,
  constraint idempotent_request_pkey primary key (id),
  constraint idempotent_request_running_check check ((status is null) = (held_until is not null)),
  constraint idempotent_request_answer_check check (status is not null or sealed_answer is null)
);
`,
};
