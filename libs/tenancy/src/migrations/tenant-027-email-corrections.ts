import type { Migration } from './migration.js';

export const tenantEmailCorrections: Migration = {
  version: 27,
  name: 'e-mail corrections',
  sql: `
-- Links to a reservation or a membership contain its version. Correcting the e-mail address invalidates links sent to the wrong address.
alter table reservation add column if not exists link_version smallint not null default 0;
alter table membership add column if not exists link_version smallint not null default 0;

-- Who corrected the e-mail address of a reservation or a membership, and when.
create table if not exists email_correction (
  id uuid primary key default gen_random_uuid(),
  reservation_id uuid,
  membership_id uuid,
  old_email text storage plain not null,
  new_email text storage plain not null,
  by_user_id uuid,
  by_key_id text storage plain,
  created_at timestamptz not null default now(),
  constraint email_correction_reservation_id_fkey foreign key (reservation_id) references reservation (id) on delete cascade,
  constraint email_correction_membership_id_fkey foreign key (membership_id) references membership (id) on delete cascade
);
`,
};
