import type { Migration } from './migration.js';

export const sharedRetention: Migration = {
  version: 6,
  name: 'retention',
  sql: `
-- Append-only tables refuse changes. Retention sets the name of the table that it prunes, for its transaction only.
create or replace function shared.refuse_change() returns trigger language plpgsql as $body$
begin
  if tg_op <> 'TRUNCATE' and current_setting('guichet.retention', true) = tg_table_name then
    return null;
  end if;
  raise exception 'table % is append-only', tg_table_name using errcode = 'restrict_violation';
end
$body$;
`,
};
