import type { Migration } from './migration.js';

export const tenantPeople: Migration = {
  version: 30,
  name: 'find people by address',
  additive: true,
  sql: `
-- The door finds the membership of a card's owner, and the API what a person has, by the address alone.
create index if not exists membership_email_key_idx on membership (email_key);
create index if not exists reservation_email_key_idx on reservation (email_key);
`,
};
