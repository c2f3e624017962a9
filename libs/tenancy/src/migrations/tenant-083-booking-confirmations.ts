import type { Migration } from './migration.js';

export const tenantBookingConfirmations: Migration = {
  version: 83,
  name: 'ways to confirm bookings',
  additive: true,
  sql: `
-- How an unknown address is confirmed on the public pages: by a mailed link, by a mailed code, or not at all.
alter table configuration add column if not exists booking_confirmation text not null default 'link';
alter table configuration drop constraint if exists configuration_booking_confirmation_check;
alter table configuration add constraint configuration_booking_confirmation_check check (booking_confirmation in ('link', 'code', 'none'));

-- The way that was set when the order was made.
alter table reservation add column if not exists confirmation text storage plain not null default 'link';
alter table reservation drop constraint if exists reservation_confirmation_check;
alter table reservation add constraint reservation_confirmation_check check (confirmation in ('link', 'code', 'none'));

-- Codes that were tried since the last change of the address.
alter table orders add column if not exists code_attempts smallint not null default 0;
`,
};
