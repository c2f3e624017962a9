import { SETTINGS, type Language, type Settings } from '#kernel';
import { mailFrame, MailRefusedError, MailTransportService, type MailBlock } from '#messages';
import { runInTenant, TenantDb, TenantsService, tenantUrl, type TenantIdentity } from '#tenancy';
import { Inject, Injectable } from '@nestjs/common';
import { texts } from '../locales/places.texts.js';

/** Operators who get a mail. */
const mostOperators = 20;

/** A mail to operators in the language of Root. */
export interface OperatorMail {
  readonly subject: string;
  readonly blocks: readonly MailBlock[];
  /** The same for a repeated mail, so that mail programs show it once. */
  readonly messageId?: string;
}

/** Composes a mail. @param link returns the address of a path below Root */
export type OperatorMailWriter = (language: Language, link: (path: string) => string) => OperatorMail;

/** Mails of Root to the operators of the server. */
@Injectable()
export class OperatorMailsService {
  constructor(
    private readonly db: TenantDb,
    private readonly tenants: TenantsService,
    private readonly transport: MailTransportService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Root; undefined before the installation. */
  async root(): Promise<TenantIdentity | undefined> {
    const [row] = await this.db.shared((tx) => tx.query<{ id: string }[]>(`select id from shared.tenant where category = 'R'`));
    return row && (await this.tenants.byIds([row.id]))[0];
  }

  /**
   * Sends a mail to the operators, at most 20, who have been operators for the longest time. Mailboxes that do not exist are left out.
   * @throws MailDelayedError so that a job is repeated
   */
  async send(write: OperatorMailWriter): Promise<void> {
    const root = await this.root();
    if (!root) return;
    const { language, name, timeZone } = root;
    const link = (path: string): string => tenantUrl(this.settings, root, path);
    const { subject, blocks, messageId } = write(language, link);
    const tenant = { name, url: link(''), timeZone, email: null, sender: this.settings.mailFrom.address };
    const content = mailFrame({
      language,
      tenant,
      subject,
      title: subject,
      blocks,
      footer: texts.localized('operatorMail.footer')[language],
    });
    await runInTenant(root, async () => {
      for (const to of await this.operators()) {
        try {
          await this.transport.send({ ...content, to, fromName: name, attachments: [], ...(messageId && { messageId }) });
        } catch (error) {
          if (!(error instanceof MailRefusedError)) throw error;
        }
      }
    });
  }

  private async operators(): Promise<string[]> {
    const rows = await this.db.shared((tx) =>
      tx.query<{ email: string }[]>(`select email from shared.user_account where is_super_user order by created_at limit ${mostOperators}`),
    );
    return rows.map(({ email }) => email);
  }
}
