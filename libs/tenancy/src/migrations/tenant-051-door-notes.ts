import type { Migration } from './migration.js';

export const tenantDoorNotes: Migration = {
  version: 51,
  name: 'notes, minimum age and cut-off devices of events',
  additive: true,
  sql: `
alter table event add column if not exists cut_off_policy text not null default 'record';
alter table event drop constraint if exists event_cut_off_policy_check;
alter table event add constraint event_cut_off_policy_check check (cut_off_policy in ('record', 'one_device'));
alter table event add column if not exists door_note text;
alter table event drop constraint if exists event_door_note_check;
alter table event add constraint event_door_note_check check (length(door_note) <= 200);
alter table event add column if not exists minimum_age smallint;
alter table event drop constraint if exists event_minimum_age_check;
alter table event add constraint event_minimum_age_check check (minimum_age between 0 and 120);
alter table price add column if not exists door_note text;
alter table price drop constraint if exists price_door_note_check;
alter table price add constraint price_door_note_check check (length(door_note) <= 200);
`,
};
