import type { Migration } from './migration.js';

export const sharedInvitationIndex: Migration = {
  version: 33,
  name: 'index of invitations',
  additive: true,
  sql: `
-- Closed invitations stay as long as the record of changes: the statements of one tenant must not read those of all.
create index if not exists invitation_tenant_id_asked_at_idx on shared.invitation (tenant_id, asked_at);
`,
};
