import type { Migration } from './migration.js';

export const tenantSemanticEvents: Migration = {
  version: 8,
  name: 'semantic-events',
  sql: `
alter table postal_address add column if not exists updated_at timestamptz default now() not null;

alter table event add column if not exists custom_confirmation_message text;
alter table event add column if not exists super_event_id uuid;
alter table event add column if not exists same_as text;
alter table event add column if not exists merchant_return_days integer default 7 not null;
alter table event add column if not exists image_id uuid;
alter table event add column if not exists sticker_image_id uuid;
alter table event add column if not exists updated_at timestamptz default now() not null;

alter table event drop constraint if exists event_super_event_id_fkey;
alter table event add constraint event_super_event_id_fkey foreign key (super_event_id) references event (id) on delete set null;
alter table event drop constraint if exists event_merchant_return_days_check;
alter table event add constraint event_merchant_return_days_check check (merchant_return_days >= 0);
-- Volunteering events had no parent until now; they become the nearest category without a parent.
update event set category = 'CHT' where category = 'ACT' and super_event_id is null;
-- With the foreign key above it also refuses to delete the parent of a volunteering event.
alter table event drop constraint if exists event_super_event_check;
alter table event add constraint event_super_event_check check (category <> 'ACT' or super_event_id is not null);

create table if not exists tag (
  id uuid default gen_random_uuid() not null,
  name text storage plain not null,
  key text storage plain not null,
  created_at timestamptz default now() not null,
  constraint tag_pkey primary key (id),
  constraint tag_key_key unique (key)
);

create table if not exists event_tag (
  event_id uuid not null,
  tag_id uuid not null,
  constraint event_tag_pkey primary key (event_id, tag_id),
  constraint event_tag_event_id_fkey foreign key (event_id) references event (id) on delete cascade,
  constraint event_tag_tag_id_fkey foreign key (tag_id) references tag (id) on delete cascade
);

create table if not exists event_option (
  id uuid default gen_random_uuid() not null,
  event_id uuid not null,
  kind text storage plain not null,
  name text storage plain not null,
  position integer not null,
  constraint event_option_pkey primary key (id),
  constraint event_option_event_id_kind_name_key unique (event_id, kind, name),
  constraint event_option_event_id_fkey foreign key (event_id) references event (id) on delete cascade,
  constraint event_option_kind_check check (kind in ('radio', 'checkbox'))
);
`,
};
