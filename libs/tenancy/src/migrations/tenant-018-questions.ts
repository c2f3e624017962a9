import type { Migration } from './migration.js';

export const tenantQuestions: Migration = {
  version: 18,
  name: 'questions',
  sql: `
-- Questions that buyers of a product answer.
create table if not exists question (
  id uuid default gen_random_uuid() not null,
  product_id uuid not null,
  name text not null,
  label text not null,
  help text,
  kind text not null,
  scope text default 'reservation' not null,
  required boolean default false not null,
  choices text[] default '{}' not null,
  position smallint default 0 not null,
  archived_at timestamptz,
  created_at timestamptz default now() not null,
  constraint question_pkey primary key (id),
  constraint question_product_id_fkey foreign key (product_id) references product (id) on delete cascade
);
create unique index if not exists question_live_name_key on question (product_id, name) where archived_at is null;

-- The answers. They are deleted with their reservation, ticket or membership.
create table if not exists answer (
  id uuid default gen_random_uuid() not null,
  question_id uuid not null,
  reservation_id uuid,
  ticket_id uuid,
  membership_id uuid,
  label text not null,
  value jsonb not null,
  created_at timestamptz default now() not null,
  constraint answer_pkey primary key (id),
  constraint answer_question_id_fkey foreign key (question_id) references question (id),
  constraint answer_reservation_id_fkey foreign key (reservation_id) references reservation (id) on delete cascade,
  constraint answer_ticket_id_fkey foreign key (ticket_id) references ticket (id) on delete cascade,
  constraint answer_membership_id_fkey foreign key (membership_id) references membership (id) on delete cascade
);
create index if not exists answer_reservation_id_idx on answer (reservation_id);
create index if not exists answer_ticket_id_idx on answer (ticket_id);
`,
};
