import type { Migration } from './migration.js';

export const sharedPasswordLinkPurposes: Migration = {
  version: 26,
  name: 'purposes of links to passwords',
  additive: true,
  sql: `
-- first: of the administrator of a new tenant, works until the first sign-in.
alter table shared.password_link add column if not exists purpose text default 'forgotten' not null;
`,
};
