import type { Migration } from './migration.js';

export const tenantPayAtVenue: Migration = {
  version: 37,
  name: 'reservations to pay at the venue await the confirmation of the e-mail address',
  sql: `
alter table reservation add column if not exists pay_until timestamptz;
-- Not additive: programs that do not know the new kinds would send mails about a cancellation.
alter table mail drop constraint if exists mail_kind_check;
alter table mail add constraint mail_kind_check check (kind in ('confirm-email', 'confirm-venue', 'pay-at-venue', 'tickets',
  'tickets-replaced', 'ticket-transferred', 'reservation-cancelled', 'event-cancelled', 'refunded', 'membership', 'membership-replaced'));
`,
};
