import { Mail } from '#booking';
import type { Settings } from '#kernel';
import type { Tx } from '#tenancy';
import { currentPanelRequest, listHref } from '#panel-kit';

/** How the mails of a place do. */
export interface TonightMail {
  /** Null: they go out. Without a mail server they are files, in a folder that super-users are told. */
  kept: { folder: string | null } | null;
  /** For more than ten minutes. */
  waiting: number;
  /** Refused or given up in the last week, and nothing was sent since. */
  refused: number;
  /** The list of those. */
  href: string;
}

/**
 * SQL of whether somebody should look after a mail: it did not arrive within the last week, and nothing was written about the same since;
 * or it has waited for ten minutes, which is more than the first tries take.
 */
export const mailNeedsSomebody = `(mail.created_at > now() - interval '7 days' and (
  mail.status = 'waiting' and mail.created_at < now() - interval '10 minutes'
  or mail.status in ('refused', 'given_up') and not exists (select 1 from mail later where later.created_at > mail.created_at
    and (later.reservation_id = mail.reservation_id or later.membership_id = mail.membership_id))))`;

/** Whether mails go out at all, for those whom it concerns: where they are kept is told to super-users alone. */
export function mailsKept({ smtpUrl, mailFolder }: Settings): TonightMail['kept'] {
  if (smtpUrl) return null;
  return { folder: currentPanelRequest().user?.isSuperUser ? mailFolder : null };
}

/** How the mails of a place do. The last week is read over the index of `created_at`. */
export async function mailTrouble(tx: Tx, settings: Settings): Promise<TonightMail> {
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
