import { databaseNow, dayAndTimeWords, RefusedInput, retryOnDeadlock, SETTINGS, showsMailLinks, type Settings } from '#kernel';
import { JobsService, type JobAttempt } from '#jobs';
import { address, button, facts, fineprint, note, paragraph } from '#messages';
import {
  currentTenant,
  invitationDays,
  invitationPath,
  InvitationsService,
  QuotasService,
  TenantDb,
  tenantUrl,
  type NewInvitation,
  type Tx,
} from '#tenancy';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { texts } from '../locales/places.texts.js';
import { RightWordsService } from './right-words.service.js';
import { staffMailWords } from './staff-mail.words.js';
import { StaffMailsService } from './staff-mails.service.js';

/** Mails the link of an invitation; its subject is the invitation. */
const invitationJob = 'invitation';

/** Invites people to the panel of the current tenant by mail. The mail is queued in the transaction of the invitation. */
@Injectable()
export class InvitationMailsService implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly jobs: JobsService,
    private readonly mails: StaffMailsService,
    private readonly invitations: InvitationsService,
    private readonly quotas: QuotasService,
    private readonly rights: RightWordsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(invitationJob, (id, attempt) => this.send(id, attempt));
  }

  /** Whether people can be invited: this server sends mails, or is a demo, which writes them to files for whoever tries it. */
  get delivers(): boolean {
    return this.mails.delivers || this.settings.demo;
  }

  /** Whether the mails are only written to files. */
  get keeps(): boolean {
    return !this.mails.delivers;
  }

  /** Whether the panel shows links of invitations. Elsewhere only the mail has it: who opens it proves that the address is theirs. */
  get showsLinks(): boolean {
    return showsMailLinks(this.settings, currentTenant().host);
  }

  /**
   * Makes another link of an open invitation, for a demo on one's own computer. The earlier link works no more.
   * @returns undefined when the invitation is not open, or links are not shown
   */
  async link(id: string): Promise<string | undefined> {
    const armed = this.showsLinks ? await this.invitations.arm(id) : undefined;
    return armed && this.urlOf(armed.token);
  }

  /** @returns id of the invitation @throws RefusedInput as `InvitationsService.inviteIn`, also when no mail can be sent */
  async invite(email: string, invitation: NewInvitation, by?: string): Promise<string> {
    this.refuseWithoutMails();
    return retryOnDeadlock(() =>
      this.db.shared(async (tx) => {
        const id = await this.invitations.inviteIn(tx, email, invitation, by);
        await this.queue(tx, id);
        return id;
      }),
    );
  }

  /**
   * Sends the mail again. The earlier link works no more.
   * @param change what the invitation offers from now on; undefined: the same
   * @returns false when there is no such open invitation @throws RefusedInput as `invite`
   */
  async renew(id: string, change?: NewInvitation, by?: string): Promise<boolean> {
    this.refuseWithoutMails();
    return retryOnDeadlock(() =>
      this.db.shared(async (tx) => {
        const isOpen = await this.invitations.renewIn(tx, id, change, by);
        if (isOpen) await this.queue(tx, id);
        return isOpen;
      }),
    );
  }

  /** Counts the mail for the daily quota of the tenant, after all else that refuses it and whether or not the address has an account. */
  private async queue(tx: Tx, id: string): Promise<void> {
    if (!(await this.quotas.takeIn(tx, 'mails'))) throw new RefusedInput('email', texts.localized('staffMail.refused.quota'));
    await this.jobs.add(tx, invitationJob, id);
  }

  private urlOf(token: string): string {
    return tenantUrl(this.settings, currentTenant(), invitationPath(token));
  }

  private refuseWithoutMails(): void {
    if (!this.delivers) throw new RefusedInput('email', texts.localized('staffMail.refused.noMails'));
  }

  private async send(id: string, attempt: JobAttempt): Promise<void> {
    const armed = await this.invitations.arm(id);
    if (!armed) return;
    const { token, invitation } = armed;
    const { grant, inviter, email, userName, note: line } = invitation;
    const { name: place, language: own, timeZone } = currentTenant();
    const language = invitation.language ?? own;
    const { copy, hello, invitation: words } = staffMailWords[language];
    const [right] = await this.rights.of([{ ...grant, roleName: invitation.roleName }], language);
    const url = this.urlOf(token);
    const rows: [string, string][] = [
      [words.role, right?.role ?? ''],
      [words.scope, right?.scope ?? ''],
    ];
    if (grant.endsAt !== undefined) rows.push([words.until, dayAndTimeWords(new Date(grant.endsAt), language, timeZone)]);
    const blocks = [
      paragraph(inviter === null ? words.leadOfOperator(place) : words.lead(inviter, place)),
      facts(rows),
      ...(line === null ? [] : [note(inviter === null ? line : words.line(inviter, line))]),
      button(words.button, url),
      paragraph(userName === null ? words.howNew(invitationDays) : words.howKnown(invitationDays)),
      address(copy, url),
      fineprint(words.forYou(email)),
    ];
    const subject = inviter === null ? words.subjectOfOperator(place) : words.subject(inviter, place);
    const greeting = userName === null ? words.hello : hello(userName);
    const footer = words.footer(place);
    // Another one for each mail, because each has another link.
    const messageId = `${id}.${databaseNow().getTime()}`;
    await this.mails.send({ to: email, greeting, language, subject, blocks, footer, messageId }, attempt);
  }
}
