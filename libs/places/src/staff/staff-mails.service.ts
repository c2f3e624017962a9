import { isOwnMachine, networkOfClient, SETTINGS, showsMailLinks, type Language, type Settings } from '#kernel';
import { JobsService, type JobAttempt } from '#jobs';
import { address, button, fineprint, mailFrame, MailRefusedError, MailTransportService, paragraph, type MailBlock } from '#messages';
import {
  currentTenant,
  passwordLinkMinutes,
  passwordLinkPath,
  PasswordLinksService,
  TenantDb,
  tenantUrl,
  UserHistoryService,
} from '#tenancy';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { staffMailWords, type StaffAct } from './staff-mail.words.js';

/** Mails a link to a password; its subject is the link. */
const linkJob = 'password-link';
/** Mails what happened to an account; its subject is the row of the record of users. */
const noticeJob = 'account-notice';

/** Actions of the record of users that are mailed. The mail is queued in the transaction of the change. */
const acts: Readonly<Record<string, StaffAct>> = {
  password_changed: 'password',
  password_by_link: 'password',
  second_factor_on: 'factorOn',
  second_factor_off: 'factorOff',
  second_factor_reset: 'factorReset',
  second_factor_reset_here: 'factorResetHere',
  factor_reset_asked: 'factorResetAsked',
  passkey_added: 'passkeyAdded',
  passkey_removed: 'passkeyRemoved',
  recovery_codes_made: 'recoveryCodes',
  new_browser: 'newBrowser',
  role_given: 'role',
  key_created: 'keyCreated',
  payment_account_changed: 'paymentAccount',
};

interface Change {
  readonly email: string;
  readonly name: string;
  readonly language: Language | null;
  readonly action: string;
  readonly at: Date;
  /** Who did it. */
  readonly who: string;
}

interface StaffMail {
  readonly to: string;
  readonly greeting: string;
  readonly language: Language;
  readonly subject: string;
  readonly blocks: readonly MailBlock[];
  /** Why the person gets it; default: because the person signs in. */
  readonly footer?: string;
  readonly messageId: string;
}

/** Mails of the current tenant to people who sign in to its panel: links to passwords, and what happened to their accounts. */
@Injectable()
export class StaffMailsService implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly jobs: JobsService,
    private readonly transport: MailTransportService,
    private readonly links: PasswordLinksService,
    private readonly history: UserHistoryService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(linkJob, (id, attempt) => this.sendLink(id, attempt));
    this.jobs.handle(noticeJob, (id, attempt) => this.sendNotice(id, attempt));
    this.history.onRecorded(async (tx, { id, action }) => {
      if (action in acts) await this.jobs.add(tx, noticeJob, id);
    });
  }

  /** Whether this server sends mails. */
  get delivers(): boolean {
    return this.transport.delivers;
  }

  /** Whether pages show links to passwords: in a demo that sends no mails, to who sits at this machine. */
  get showsLinks(): boolean {
    return showsMailLinks(this.settings, currentTenant().host) && isOwnMachine();
  }

  /**
   * Asks for a link to a password. The same work is done for every address, and nothing tells whether a mail will be sent.
   * @returns path of the link, where pages show it, instead of a mail
   */
  async requestPasswordLink(asked: { email: string; client: string | undefined; language: Language }): Promise<string | undefined> {
    const { email, client, language } = asked;
    const { showsLinks } = this;
    const id = await this.db.shared(async (tx) => {
      const asks = await this.links.request(tx, { email, network: networkOfClient(client, 24), language });
      // A second token would end the shown one.
      if (asks !== undefined && !showsLinks) await this.jobs.add(tx, linkJob, asks);
      return asks;
    });
    const link = showsLinks && id !== undefined ? await this.links.arm(id) : undefined;
    return link && passwordLinkPath(link.token);
  }

  private async sendLink(id: string, attempt: JobAttempt): Promise<void> {
    const link = await this.links.arm(id);
    if (!link) return;
    const { email, name, language, token } = link;
    const { name: place } = currentTenant();
    const words = staffMailWords[language];
    const url = tenantUrl(this.settings, currentTenant(), passwordLinkPath(token));
    const blocks = [
      paragraph(words.link.lead(place)),
      button(words.link.button, url),
      paragraph(words.link.until(passwordLinkMinutes)),
      address(words.copy, url),
      fineprint(words.link.unasked),
    ];
    await this.send(
      { to: email, greeting: words.hello(name), language, subject: words.link.subject(place), blocks, messageId: id },
      attempt,
    );
  }

  private async sendNotice(id: string, attempt: JobAttempt): Promise<void> {
    const [change] = await this.db.shared((tx) =>
      tx.query<Change[]>(
        `select u.email, u.name, u.language, c.action, c.at, coalesce(a.name, c.actor) as who
         from shared.user_change c join shared.user_account u on u.id = c.user_id left join shared.user_account a on a.id = c.actor_id
         where c.id = $1`,
        [id],
      ),
    );
    const act = change && acts[change.action];
    if (!act) return;
    const { language: own, timeZone, name: place } = currentTenant();
    const language = change.language ?? own;
    const words = staffMailWords[language];
    const { subject, lead } = words.act(act, { place, at: change.at, who: change.who, timeZone, language });
    const urlOf = (path: string): string => tenantUrl(this.settings, currentTenant(), path);
    const blocks =
      // Nothing has happened that a new password of this person would mend.
      act === 'role' || act === 'factorResetAsked' || act === 'keyCreated' || act === 'paymentAccount'
        ? [paragraph(lead), button(words.panel, urlOf('/admin'))]
        : [paragraph(lead), paragraph(words.notYou), button(words.account, urlOf('/admin/account'))];
    await this.send({ to: change.email, greeting: words.hello(change.name), language, subject, blocks, messageId: id }, attempt);
  }

  /** Sends a mail of the current tenant to a member of staff. @throws MailDelayedError so that the job is repeated */
  async send({ to, greeting, language, subject, blocks, footer, messageId }: StaffMail, { isLast }: JobAttempt): Promise<void> {
    const tenant = currentTenant();
    const { name: place, timeZone, host } = tenant;
    const content = mailFrame({
      language,
      tenant: { name: place, url: tenantUrl(this.settings, tenant, ''), timeZone, email: null, sender: this.settings.mailFrom.address },
      subject,
      title: subject,
      greeting,
      blocks,
      footer: footer ?? staffMailWords[language].footer(place),
    });
    try {
      await this.transport.send({ ...content, to, fromName: place, attachments: [], messageId: `${messageId}@${host}` });
    } catch (error) {
      if (!(error instanceof MailRefusedError) && !isLast) throw error;
    }
  }
}
