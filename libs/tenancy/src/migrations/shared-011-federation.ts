import type { Migration } from './migration.js';

export const sharedFederation: Migration = {
  version: 11,
  name: 'federation',
  sql: `
-- Which tenants send their events to the agenda of which network (a tenant of category M).
create table if not exists shared.network_member (
  id uuid default gen_random_uuid() not null,
  network_id uuid not null,
  tenant_id uuid not null,
  state text not null,
  -- Tags of the events that it sends; empty: all public events.
  sent_tags text[] default '{}' not null,
  -- Whether its own agenda shows events of other members, and their tags; empty: all.
  shows_others boolean default false not null,
  shown_tags text[] default '{}' not null,
  asked_at timestamptz default now() not null,
  asked_by uuid,
  decided_at timestamptz,
  decided_by uuid,
  left_at timestamptz,
  constraint network_member_pkey primary key (id),
  constraint network_member_network_id_tenant_id_key unique (network_id, tenant_id),
  constraint network_member_network_id_fkey foreign key (network_id) references shared.tenant (id) on delete cascade,
  constraint network_member_tenant_id_fkey foreign key (tenant_id) references shared.tenant (id) on delete cascade,
  constraint network_member_asked_by_fkey foreign key (asked_by) references shared.user_account (id) on delete set null,
  constraint network_member_decided_by_fkey foreign key (decided_by) references shared.user_account (id) on delete set null,
  constraint network_member_state_check check (state in ('asked', 'accepted', 'refused', 'removed', 'left'))
);
create index if not exists network_member_tenant_id_idx on shared.network_member (tenant_id);

-- One row for each public event and each network that receives it, written in the transaction that changes the event.
create table if not exists shared.federated_event (
  network_id uuid not null,
  tenant_id uuid not null,
  event_id uuid not null,
  name text not null,
  slug text not null,
  category text not null,
  short_description text,
  starts_at timestamptz not null,
  ends_at timestamptz,
  over_at timestamptz not null,
  tags text[] default '{}' not null,
  tag_keys text[] default '{}' not null,
  place_name text,
  street_address text,
  locality text,
  region text,
  postal_code text,
  country text,
  latitude double precision,
  longitude double precision,
  picture_id uuid,
  same_as text,
  url text,
  is_cancelled boolean default false not null,
  sequence integer default 0 not null,
  -- Name, description, place and tags without case and accents.
  search_text text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint federated_event_pkey primary key (network_id, tenant_id, event_id),
  constraint federated_event_network_id_fkey foreign key (network_id) references shared.tenant (id) on delete cascade,
  constraint federated_event_tenant_id_fkey foreign key (tenant_id) references shared.tenant (id) on delete cascade
);
create index if not exists federated_event_tenant_id_event_id_idx on shared.federated_event (tenant_id, event_id);
create index if not exists federated_event_network_id_starts_at_idx on shared.federated_event (network_id, starts_at);
-- For events that began long ago and are still running.
create index if not exists federated_event_long on shared.federated_event (network_id, over_at)
where over_at - starts_at > interval '48 hours';
`,
};
