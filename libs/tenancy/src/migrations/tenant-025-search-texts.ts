import type { Migration } from './migration.js';

/** Copy of the kernel's `foldedSql`, because a migration must not change with the program. */
const folded = (text: string): string =>
  `replace(replace(replace(translate(lower(regexp_replace(normalize(${text}, NFKD), '[\\u0300-\\u036f]', '', 'g')),
    'øłđı’‘ʼ‐–—', 'oldi''''''---'), 'œ', 'oe'), 'æ', 'ae'), 'ß', 'ss')`;

const person = `last_name || E'\\n' || first_name || E'\\n' || email`;

export const tenantSearchTexts: Migration = {
  version: 25,
  name: 'search texts',
  sql: `
-- Generated columns for searches and for sorting by name, without case and accents.
alter table reservation add column if not exists search_text text storage plain generated always as (${folded(person)}) stored;
alter table ticket add column if not exists search_text text storage plain
  generated always as (${folded(`last_name || E'\\n' || first_name`)}) stored;
alter table membership add column if not exists search_text text storage plain generated always as (${folded(person)}) stored;
`,
};
