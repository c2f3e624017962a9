import type { Migration } from './migration.js';

export const sharedPlaceApprovals: Migration = {
  version: 21,
  name: 'approval of forms for new places',
  additive: true,
  sql: `
-- confirmed: the e-mail address is confirmed, and operators decide; refused: they decided against it.
alter table shared.place_request drop constraint if exists place_request_state_check;
alter table shared.place_request add constraint place_request_state_check
  check (state in ('draft', 'waiting', 'confirmed', 'created', 'refused'));
alter table shared.place_request add column if not exists confirmed_at timestamptz;
-- When operators were told by mail that it waits for them; limits the number of these mails.
alter table shared.place_request add column if not exists told_at timestamptz;
`,
};
