import type { Migration } from './migration.js';

/** The column by which the rows of each table are looked for: the primary key begins with it, and needs no index beside it. */
const keys = {
  ended_hold: 'reservation_id',
  gift_card_movement: 'gift_card_id',
  scan_line: 'device_id, sequence',
  webhook_attempt: 'delivery_id',
} as const;

/** Statements that replace the key of a table. A second run finds the new key, and does nothing. */
const changedKey = ([table, columns]: readonly [string, string]): string => `
  if not exists (select from pg_index where indrelid = '${table}'::regclass and indisprimary and indnatts > 1) then
    alter table ${table} drop constraint ${table}_pkey, add constraint ${table}_pkey primary key (${columns}, id);
  end if;`;

export const tenantKeysAsIndexes: Migration = {
  version: 104,
  name: 'keys as indexes',
  additive: true,
  sql: `
do $do$
begin${Object.entries(keys).map(changedKey).join('')}
end
$do$;
-- Donations are few: those of an event and those of a campaign are found by one index.
create index if not exists order_line_donation_idx on order_line (event_id, campaign_id) where kind = 'donation';
drop index if exists order_line_place_idx, order_line_campaign_id_idx, ended_hold_reservation_id_idx,
  gift_card_movement_gift_card_id_idx, scan_line_device_id_sequence_idx, webhook_attempt_delivery_id_idx;
`,
};
