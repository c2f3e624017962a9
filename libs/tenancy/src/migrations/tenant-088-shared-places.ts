import type { Migration } from './migration.js';

const countsOn = (change: 'insert' | 'update of booked, series_id' | 'delete', when: string): string => `
create or replace trigger event_series_booked_${change.split(' ')[0]} after ${change} on event for each row
  when (${when}) execute function count_in_series();`;

/** A trigger counts, because every program must do so that sells a date or moves it between series, also an older one during an upgrade. */
export const tenantSharedPlaces: Migration = {
  version: 88,
  name: 'places that the dates of a series share',
  additive: true,
  sql: `
alter table event_series add column if not exists capacity integer check (capacity >= 0);
alter table event_series add column if not exists booked integer not null default 0;

-- Counts only in series whose dates share their places. Names the schema of the table, because schemas are renamed.
create or replace function count_in_series() returns trigger language plpgsql as $body$
begin
  execute format('update %I.event_series set booked = booked + case when id = $1 then $2 else 0 end - case when id = $3 then $4 else 0 end
    where id in ($1, $3) and capacity is not null', tg_table_schema) using new.series_id, new.booked, old.series_id, old.booked;
  return null;
end
$body$;
${countsOn('insert', 'new.series_id is not null and new.booked <> 0')}
${countsOn(
  'update of booked, series_id',
  `(old.series_id is not null or new.series_id is not null)
    and (old.booked, old.series_id) is distinct from (new.booked, new.series_id)`,
)}
${countsOn('delete', 'old.series_id is not null and old.booked <> 0')}
`,
};
