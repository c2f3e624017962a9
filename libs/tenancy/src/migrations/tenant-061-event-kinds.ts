import type { Migration } from './migration.js';

export const tenantEventKinds: Migration = {
  version: 61,
  name: 'kinds of events: theatre, dance, comedy, exhibition, screening, literature, for children, sport',
  sql: `
-- Not additive: programs that do not know the new kinds cannot show them.
alter table event drop constraint if exists event_category_check;
alter table event add constraint event_category_check check (category in ('LIV', 'FES', 'REU', 'CON', 'RES', 'CHT', 'ACT',
  'THE', 'DAN', 'COM', 'EXP', 'PRO', 'LIT', 'JEU', 'SPO'));
`,
};
