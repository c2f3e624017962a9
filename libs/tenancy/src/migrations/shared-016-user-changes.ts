import type { Migration } from './migration.js';

export const sharedUserChanges: Migration = {
  version: 16,
  name: 'record of users',
  sql: `
-- Granted and revoked rights of users. No foreign key, because the rows are kept when the user is deleted.
create table if not exists shared.user_change (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  email text not null,
  at timestamptz default now() not null,
  actor_id uuid,
  actor text not null,
  action text not null,
  details jsonb default '{}' not null,
  constraint user_change_pkey primary key (id)
);
create index if not exists user_change_user_id_at_idx on shared.user_change (user_id, at);
create or replace trigger user_change_append_only before update or delete or truncate on shared.user_change
  for each statement execute function shared.refuse_change();
`,
};
