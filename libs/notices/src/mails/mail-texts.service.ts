import { MailsService } from '#tickets';
import { databaseNow, retryOnDeadlock, type Language } from '#kernel';
import type { OwnTexts } from '#messages';
import { currentTenant, TenantDb, type Tx } from '#tenancy';
import { Injectable } from '@nestjs/common';
import { checkedTexts, ownTextsIn, type MailTextKind, type MailTextSubject, type StoredMailText } from './mail-text-rules.js';
import { MailText } from './mail-text.entity.js';

/** Test mails to one address within an hour. */
const mostTests = 10;

/** The texts that a venue adds to its mails. Sending a mail reads them with the mail itself, see `readWaitingMail`. */
@Injectable()
export class MailTextsService {
  constructor(
    private readonly db: TenantDb,
    private readonly mails: MailsService,
  ) {}

  /** For each kind, the languages in which the venue has texts of its own. */
  async languages(): Promise<ReadonlyMap<string, readonly Language[]>> {
    const rows = await this.db.transaction((tx) =>
      tx.query<{ kind: string; languages: Language[] }[]>(
        'select kind, array_agg(distinct language order by language) as languages from mail_text group by kind',
      ),
    );
    return new Map(rows.map(({ kind, languages }) => [kind, languages]));
  }

  /** The texts of a kind in a language, with the signature. */
  async of(kind: MailTextSubject, language: Language): Promise<OwnTexts> {
    const rows = await this.db.transaction((tx) =>
      tx.query<StoredMailText[]>(`select kind, language, part, text from mail_text where language = $2 and kind in ($1, 'signature')`, [
        kind,
        language,
      ]),
    );
    return ownTextsIn(rows, language);
  }

  /**
   * Stores the texts of a kind in a language. An empty one removes what was stored, so that mails have the built-in text.
   * @throws RefusedInputs on `subject`, `intro`, `closing`, `signature`
   */
  async change(kind: MailTextSubject, language: Language, given: OwnTexts): Promise<void> {
    const entries = Object.entries(checkedTexts(kind, given)) as [string, string][];
    const kept = entries
      .filter(([, text]) => text !== '')
      .map(([part, text]) => ({ kind, language, part, text, updatedAt: databaseNow() }));
    const removed = entries.filter(([, text]) => text === '').map(([part]) => part);
    const write = async (tx: Tx): Promise<void> => {
      if (removed.length > 0)
        await tx.query('delete from mail_text where kind = $1 and language = $2 and part = any($3)', [kind, language, removed]);
      if (kept.length > 0) await tx.upsert(MailText, kept, ['kind', 'language', 'part']);
    };
    await retryOnDeadlock(() => this.db.transaction(write));
  }

  /**
   * Sends an example of a kind with the stored texts, at most ten in an hour to one address.
   * @returns false when there were too many
   */
  sendTest(kind: MailTextKind, language: Language, recipient: string): Promise<boolean> {
    return this.testing(recipient, (tx) => this.mails.add(tx, 'test', { recipient, note: `${kind} ${language}` }));
  }

  /** Runs what adds a test mail. @returns false when there were too many */
  testing(recipient: string, add: (tx: Tx) => Promise<void>): Promise<boolean> {
    return this.db.transaction(async (tx) => {
      // Two windows at once count one after another.
      await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${currentTenant().id} test mail ${recipient}`]);
      const [sent] = await tx.query<{ count: number }[]>(
        `select count(*)::int as count from mail where kind = 'test' and recipient = $1 and created_at > now() - interval '1 hour'`,
        [recipient],
      );
      if ((sent?.count ?? 0) >= mostTests) return false;
      await add(tx);
      return true;
    });
  }
}
