import type { Migration } from './migration.js';

export const sharedBackups: Migration = {
  version: 20,
  name: 'backups of the server',
  additive: true,
  sql: `
-- Complete and verified backups; health shows the age of the last one.
create table if not exists shared.backup (
  id uuid not null,
  taken_at timestamptz not null,
  finished_at timestamptz default now() not null,
  bytes bigint not null,
  rows bigint not null,
  sha256 text not null,
  constraint backup_pkey primary key (id)
);
create index if not exists backup_finished_at_idx on shared.backup (finished_at);
`,
};
