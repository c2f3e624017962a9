import { Mail, mailKinds, mailStates } from '#tickets';
import type { MailStatus } from '#tickets';
import type { TenantDb } from '#tenancy';
import { currentPanelRequest } from '#panel-kit';
import type { PanelTone, RelatedItem } from '#panel-kit';
import type { PaidSubject } from '../payments/payments.reader.js';
export const mailTones = {
  waiting: 'waiting',
  sent: 'good',
  kept: 'quiet',
  refused: 'bad',
  given_up: 'bad',
  obsolete: 'quiet',
} as const satisfies Record<MailStatus, PanelTone>;

/** The mails to a holder, newest first. */
export async function mailItems(db: TenantDb, subject: PaidSubject): Promise<RelatedItem[]> {
  const mails = await db.transaction((tx) => tx.find(Mail, { where: subject, order: { createdAt: 'DESC', id: 'DESC' }, take: 50 }));
  const { language } = currentPanelRequest();
  return mails.map(({ kind, status, answer, sentAt, createdAt, recipient }) => ({
    title: mailKinds[kind][language],
    at: (sentAt ?? createdAt).toISOString(),
    details: [recipient, answer].filter(Boolean).join(' · '),
    badge: { text: mailStates[status][language], tone: mailTones[status] },
  }));
}
