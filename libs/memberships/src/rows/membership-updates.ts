import { currentTenant, type Tx } from '#tenancy';
import type { MailsService } from '#tickets';
import type { OutboxService } from '#webhooks';
import { toSchemaOrgMembership } from './membership.dto.js';
import { loadMembership, type WholeMembership } from './membership-rows.js';

/** Publishes `membership.updated` with an existing membership as this transaction sees it. */
export async function publishMembershipUpdate(tx: Tx, outbox: OutboxService, id: string): Promise<void> {
  const membership = (await loadMembership(tx, id)) as WholeMembership;
  const data = toSchemaOrgMembership(membership, currentTenant());
  await outbox.add(tx, { type: 'membership.updated', subjectId: id, sequence: membership.sequence, data });
}

/** Publishes `membership.created` and mails the card. Called when the membership becomes active. */
export async function publishNewMembership(
  tx: Tx,
  { outbox, mails }: { readonly outbox: OutboxService; readonly mails: MailsService },
  id: string,
): Promise<void> {
  const membership = (await loadMembership(tx, id)) as WholeMembership;
  const data = toSchemaOrgMembership(membership, currentTenant());
  await outbox.add(tx, { type: 'membership.created', subjectId: id, sequence: membership.sequence, data });
  await mails.add(tx, 'membership', { membershipId: id, recipient: membership.email });
}
