import type { Migration } from './migration.js';

export const tenantTheHouse: Migration = {
  version: 82,
  name: 'the page of the house, and galleries',
  additive: true,
  sql: `
-- Plain text, one thing a line.
alter table configuration add column if not exists opening_hours text;
alter table configuration add column if not exists getting_here text;
alter table configuration add column if not exists accessibility text;
alter table configuration add column if not exists access_contact text;

-- Pictures of events, and of the venue itself (event_id null), beside the one picture that each has.
create table if not exists gallery_picture (
  image_id uuid not null,
  event_id uuid,
  position smallint not null,
  alternative text storage plain not null,
  constraint gallery_picture_pkey primary key (image_id),
  constraint gallery_picture_image_id_fkey foreign key (image_id) references image (id) on delete cascade,
  constraint gallery_picture_event_id_fkey foreign key (event_id) references event (id) on delete cascade
);
`,
};
