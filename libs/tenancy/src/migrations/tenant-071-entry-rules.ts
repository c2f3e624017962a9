import type { Migration } from './migration.js';

export const tenantEntryRules: Migration = {
  version: 71,
  name: 'how often tickets of a price let in',
  additive: true,
  sql: `
alter table price add column if not exists entry_rule text not null default 'once';
alter table price drop constraint if exists price_entry_rule_check;
alter table price add constraint price_entry_rule_check check (entry_rule in ('once', 'daily', 'exits'));
`,
};
