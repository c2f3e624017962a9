import { Mail } from '#tickets';
import type { Settings } from '#kernel';
import type { Tx } from '#tenancy';
import { currentPanelRequest, listHref } from '#panel-kit';

/** The state of the tenant's mail delivery. */
export interface StartPageMail {
  /** Null: mails are delivered. Without a mail server they are stored as files, in a folder that only super-users see. */
  kept: { folder: string | null } | null;
  /** Number of mails that wait for more than ten minutes. */
  waiting: number;
  /** Number of mails that were refused or given up in the last seven days, with no later mail about the same subject. */
  refused: number;
  /** URL of the list of these mails. */
  href: string;
}

/**
 * SQL: whether staff should look after a mail. It failed within the last seven days, and no later mail about the same subject followed; or
 * it has waited for ten minutes, longer than the first retries take. Whoever asked for a test mail looks for it anyway.
 */
export const mailNeedsSomebody = `(mail.created_at > now() - interval '7 days' and mail.kind <> 'test' and (
  mail.status = 'waiting' and mail.created_at < now() - interval '10 minutes'
  or mail.status in ('refused', 'given_up') and not exists (select 1 from mail later where later.created_at > mail.created_at
    and (later.reservation_id = mail.reservation_id or later.membership_id = mail.membership_id))))`;

/** Where mails are stored when none are delivered. Only super-users see the folder. */
export function mailsKept({ smtpUrl, mailFolder }: Settings): StartPageMail['kept'] {
  if (smtpUrl) return null;
  return { folder: currentPanelRequest().user?.isSuperUser ? mailFolder : null };
}

/** Reads the state of the tenant's mail delivery. Uses the index on `created_at` for the last seven days. */
export async function mailTrouble(tx: Tx, settings: Settings): Promise<StartPageMail> {
  const row = await tx
    .createQueryBuilder()
    .select(`count(*) filter (where mail.status = 'waiting')::int`, 'waiting')
    .addSelect(`count(*) filter (where mail.status <> 'waiting')::int`, 'refused')
    .from(Mail, 'mail')
    .where(mailNeedsSomebody)
    .getRawOne<{ waiting: number; refused: number }>();
  const { waiting, refused } = row ?? { waiting: 0, refused: 0 };
  return { kept: mailsKept(settings), waiting, refused, href: listHref('mails', { needsSomebody: 'true' }) };
}
