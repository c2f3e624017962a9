import type { Migration } from './migration.js';

export const tenantPeople: Migration = {
  version: 30,
  name: 'find people by address',
  additive: true,
  sql: `
-- Scans of a card and the API find memberships by the e-mail address.
create index if not exists membership_email_key_idx on membership (email_key);
create index if not exists reservation_email_key_idx on reservation (email_key);
`,
};
