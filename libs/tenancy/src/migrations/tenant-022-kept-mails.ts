import type { Migration } from './migration.js';

export const tenantKeptMails: Migration = {
  version: 22,
  name: 'kept mails',
  sql: `
-- A mail that was written to the mail folder, because no mail server is configured, was not delivered.
alter table mail drop constraint if exists mail_status_check;
alter table mail add constraint mail_status_check
  check (status in ('waiting', 'sent', 'kept', 'refused', 'given_up', 'obsolete'));
`,
};
