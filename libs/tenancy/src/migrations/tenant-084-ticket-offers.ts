import type { Migration } from './migration.js';

export const tenantTicketOffers: Migration = {
  version: 84,
  name: 'tickets that wait for their new holder',
  additive: true,
  sql: `
-- A row is an offer until the new holder accepts it. Rows of older programs are transfers that happened at once.
alter table ticket_transfer add column if not exists state text storage plain not null default 'accepted';
alter table ticket_transfer drop constraint if exists ticket_transfer_state_check;
alter table ticket_transfer add constraint ticket_transfer_state_check check (state in ('pending', 'accepted', 'withdrawn'));
-- The version of the code of the ticket that is offered; null: given at once.
alter table ticket_transfer add column if not exists code_version smallint;
-- The name that the ticket gets.
alter table ticket_transfer add column if not exists first_name text storage plain;
alter table ticket_transfer add column if not exists last_name text storage plain;
-- Words of the giver; null: none.
alter table ticket_transfer add column if not exists message text storage plain;
-- When it was accepted or withdrawn; null: pending, or given at once.
alter table ticket_transfer add column if not exists decided_at timestamptz;
create unique index if not exists ticket_transfer_pending_idx on ticket_transfer (ticket_id) where state = 'pending';
`,
};
