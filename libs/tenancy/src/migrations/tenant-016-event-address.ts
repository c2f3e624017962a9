import type { Migration } from './migration.js';

export const tenantEventAddress: Migration = {
  version: 16,
  name: 'event address',
  sql: `
-- The page about an event that an integration sent; it does not make the event an external one, as same_as does.
alter table event add column if not exists url text;
-- An option that somebody chose is not deleted: it is not offered any more.
alter table event_option add column if not exists published boolean default true not null;
create index if not exists reservation_option_option_id_idx on reservation_option (option_id);
`,
};
