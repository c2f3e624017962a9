import type { Migration } from './migration.js';

export const tenantReplacedCodes: Migration = {
  version: 26,
  name: 'replaced codes',
  sql: `
-- Mails with new codes after a signing key was revoked.
alter table mail drop constraint if exists mail_kind_check;
alter table mail add constraint mail_kind_check check (kind in ('confirm-email', 'tickets', 'tickets-replaced', 'reservation-cancelled',
  'event-cancelled', 'refunded', 'membership', 'membership-replaced'));
`,
};
