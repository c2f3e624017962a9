import type { Migration } from './migration.js';

export const tenantPrivacy: Migration = {
  version: 95,
  name: 'the privacy notice of a venue',
  additive: true,
  sql: `
-- HTML with the few elements that cleanHtml allows, as terms and imprint.
alter table configuration add column if not exists privacy text;
`,
};
