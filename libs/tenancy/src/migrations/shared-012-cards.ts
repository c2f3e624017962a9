import type { Migration } from './migration.js';

export const sharedCards: Migration = {
  version: 12,
  name: 'NFC cards',
  sql: `
-- NFC cards of people, valid for all tenants. The tag is the UID in upper-case hexadecimal digits.
create table if not exists shared.card (
  id uuid default gen_random_uuid() not null,
  tag text not null,
  -- The number printed on the card, for use without a reader.
  number text,
  owner_email text,
  -- The owner's e-mail address, normalised as tenants store those of their members.
  owner_key text,
  origin_tenant_id uuid,
  state text default 'active' not null,
  created_at timestamptz default now() not null,
  changed_at timestamptz default now() not null,
  constraint card_pkey primary key (id),
  constraint card_tag_key unique (tag),
  constraint card_number_key unique (number),
  constraint card_origin_tenant_id_fkey foreign key (origin_tenant_id) references shared.tenant (id) on delete set null,
  constraint card_state_check check (state in ('active', 'blocked', 'lost')),
  constraint card_tag_check check (length(tag) in (8, 14, 20) and tag ~ '^[0-9A-F]+$'),
  constraint card_owner_check check ((owner_email is null) = (owner_key is null))
);
create index if not exists card_owner_key_idx on shared.card (owner_key);
create index if not exists card_origin_tenant_id_idx on shared.card (origin_tenant_id);
create index if not exists card_created_at_idx on shared.card (created_at);
`,
};
