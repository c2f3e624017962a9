import type { Migration } from './migration.js';

export const sharedPanelSessions: Migration = {
  version: 5,
  name: 'panel sessions',
  sql: `
-- Panel sessions. The key is the SHA-256 of the session id, so that the table gives no access. It replaces shared.session, whose
-- sessions end; a later version drops that table.
create table if not exists shared.panel_session (
  key bytea not null,
  id uuid default gen_random_uuid() not null,
  tenant_id uuid not null,
  user_id uuid not null,
  version integer not null,
  data jsonb not null,
  address text,
  user_agent text,
  created_at timestamptz default now() not null,
  seen_at timestamptz default now() not null,
  expires_at timestamptz not null,
  constraint panel_session_pkey primary key (key),
  constraint panel_session_id_key unique (id),
  constraint panel_session_tenant_id_fkey foreign key (tenant_id) references shared.tenant (id) on delete cascade,
  constraint panel_session_user_id_fkey foreign key (user_id) references shared.user_account (id) on delete cascade
);
create index if not exists panel_session_user_id_idx on shared.panel_session (user_id);
create index if not exists panel_session_tenant_id_idx on shared.panel_session (tenant_id);
-- Increased by a new password, a revoked right and "sign out everywhere". Sessions with a lower version are invalid.
alter table shared.user_account add column if not exists session_version integer default 0 not null;
-- Failures are counted by address and network, or by known browser. A new password deletes all counts of its address.
alter table shared.sign_in_attempt add column if not exists email_hash bytea;
create index if not exists sign_in_attempt_email_hash_idx on shared.sign_in_attempt (email_hash);
create index if not exists sign_in_attempt_last_failure_at_idx on shared.sign_in_attempt (last_failure_at);
`,
};
