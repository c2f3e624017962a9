import { MailTextsService, MailSourcesService } from '#notices';
import { isVerifiedSql } from '#tickets';
import type { Language } from '#kernel';
import { JobsService, type JobAttempt } from '#jobs';
import { accountMessage, MailRefusedError, MailTransportService } from '#messages';
import { currentTenant, QuotasService, TenantDb } from '#tenancy';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { accountLinkJob } from './account-sessions.service.js';
import { AccountLinks } from './account-links.js';
import { isKnownPerson, type AccountPerson } from './account-person.js';
import { accountLinkMinutes } from './account-sessions.service.js';

type Due = AccountPerson & { readonly language: Language | null; readonly isConfirmed: boolean };

/**
 * Sends the links to accounts. They are no rows of `mail`: staff neither see nor repeat them, and a link that could not be sent in time is
 * given up.
 */
@Injectable()
export class AccountMailsService implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly jobs: JobsService,
    private readonly transport: MailTransportService,
    private readonly sources: MailSourcesService,
    private readonly links: AccountLinks,
    private readonly texts: MailTextsService,
    private readonly quotas: QuotasService,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(accountLinkJob, (id, attempt) => this.send(id, attempt));
  }

  /**
   * Sends a link to an address that the tenant knows; does nothing for others, and when the link no longer works.
   * @throws MailDelayedError so that the queue retries it
   */
  async send(id: string, { isLast }: Pick<JobAttempt, 'isLast'>): Promise<void> {
    const due = await this.due(id);
    if (!due) return;
    const { email } = due;
    // The link would be over on the next day.
    if (!due.isConfirmed && !(await this.quotas.take('mails'))) return;
    const language = due.language ?? currentTenant().language;
    const tenant = await this.sources.venue();
    const message = accountMessage({
      language,
      tenant,
      own: await this.texts.of('signature', language),
      email,
      minutes: accountLinkMinutes,
      url: this.links.urlTo(id),
    });
    try {
      await this.transport.send({ ...message, messageId: `${id}@${currentTenant().host}` });
    } catch (error) {
      if (!(error instanceof MailRefusedError) && !isLast) throw error;
    }
  }

  private due(id: string): Promise<Due | undefined> {
    return this.db.transaction(async (tx) => {
      const [row] = await tx.query<Due[]>(
        `select email, email_key as "emailKey", language, ${isVerifiedSql('account_session.email_key')} as "isConfirmed"
         from account_session
         where id = $1 and opened_at is null and link_until > statement_timestamp()`,
        [id],
      );
      return row && (await isKnownPerson(tx, row)) ? row : undefined;
    });
  }
}
