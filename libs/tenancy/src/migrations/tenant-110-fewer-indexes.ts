import { clockId } from './clock-id.js';
import type { Migration } from './migration.js';

/** Tables whose primary key becomes what also must be unique, and the constraint that it replaces. Their ids need no index. */
const keys = {
  quarantine_line: { columns: 'device_id, line_hash', replaced: 'quarantine_line_device_id_line_hash_key' },
  tax_receipt: { columns: 'number', replaced: 'tax_receipt_number_key' },
} as const;

/** Statements that replace the key of a table. A second run does not find the constraint, and does nothing. */
const changedKey = ([table, { columns, replaced }]: readonly [string, (typeof keys)[keyof typeof keys]]): string => `
  if exists (select from pg_constraint where conrelid = '${table}'::regclass and conname = '${replaced}') then
    alter table ${table} drop constraint ${table}_pkey, drop constraint ${replaced}, add constraint ${table}_pkey primary key (${columns});
  end if;`;

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
begin${Object.entries(keys).map(changedKey).join('')}
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
