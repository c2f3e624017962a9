import { clockId } from './clock-id.js';
import type { Migration } from './migration.js';

/** Tables whose ids only order the rows of one parent, and come from the clock instead of a sequence. */
const clocked = ['quarantine_line', 'scan_line', 'webhook_attempt'];

const ofClock = (table: string): string => `
alter table ${table} alter column id drop identity if exists, alter column id set default ${clockId};
`;

export const tenantFewerIndexes: Migration = {
  version: 110,
  name: 'fewer indexes',
  additive: true,
  sql: `
do $do$
begin
  -- What must be unique is the key, and the id needs no index. A second run does not find the constraint, and does nothing.
  if exists (select from pg_constraint
      where conrelid = 'quarantine_line'::regclass and conname = 'quarantine_line_device_id_line_hash_key') then
    alter table quarantine_line drop constraint quarantine_line_pkey, drop constraint quarantine_line_device_id_line_hash_key,
      add constraint quarantine_line_pkey primary key (device_id, line_hash);
  end if;
end
$do$;
${clocked.map(ofClock).join('')}
-- A hold counts for its network and for the site around it: one index finds both. Older programs read the few rows of the one of
-- reservations, and those of an event in the other.
create index if not exists reservation_held_by_idx on reservation (coalesce(network_site, network)) where network is not null;
create index if not exists ended_hold_held_by_idx on ended_hold (event_id, coalesce(network_site, network));
-- Who waits has not ended: the index of the people of a list finds them. Old requests are looked for once an hour.
drop index if exists reservation_network_idx, reservation_network_site_idx, ended_hold_network_idx, ended_hold_network_site_idx,
  waiting_entry_next_idx, idempotent_request_begun_at_idx;
`,
};
