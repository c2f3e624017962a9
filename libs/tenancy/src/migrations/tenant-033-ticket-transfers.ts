import type { Migration } from './migration.js';

export const tenantTicketTransfers: Migration = {
  version: 33,
  name: 'ticket transfers',
  sql: `
-- Another person than the buyer, to whom the ticket was given.
alter table ticket add column if not exists holder_email text storage plain;
alter table ticket add column if not exists holder_key text storage plain;
-- A code and a link contain it, so that those from before a transfer are invalid.
alter table ticket add column if not exists code_version smallint not null default 0;
-- Finds what a person holds; few tickets have another holder, so the index stays small.
create index if not exists ticket_holder_idx on ticket (holder_key, event_id) where holder_key is not null;

create table if not exists ticket_transfer (
  id uuid primary key default gen_random_uuid(),
  ticket_id uuid not null,
  from_email text storage plain not null,
  to_email text storage plain not null,
  created_at timestamptz not null default now(),
  constraint ticket_transfer_ticket_id_fkey foreign key (ticket_id) references ticket (id) on delete cascade
);

alter table mail add column if not exists ticket_id uuid;
alter table mail drop constraint if exists mail_ticket_id_fkey;
alter table mail add constraint mail_ticket_id_fkey foreign key (ticket_id) references ticket (id) on delete cascade;
create index if not exists mail_ticket_id_idx on mail (ticket_id);
alter table mail drop constraint if exists mail_kind_check;
alter table mail add constraint mail_kind_check check (kind in ('confirm-email', 'tickets', 'tickets-replaced', 'ticket-transferred',
  'reservation-cancelled', 'event-cancelled', 'refunded', 'membership', 'membership-replaced'));
`,
};
