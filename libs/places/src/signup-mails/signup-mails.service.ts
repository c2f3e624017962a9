import { ImagesService } from '#catalogue';
import { isEmail, SETTINGS, showsMailLinks, type Language, type Settings } from '#kernel';
import {
  address,
  button,
  fineprint,
  logoAttachment,
  mailFrame,
  MailRefusedError,
  MailTransportService,
  note,
  paragraph,
  type MailBlock,
} from '#messages';
import { JobsService } from '#jobs';
import { currentTenant, TenantDb, tenantUrl, VenueContactService } from '#tenancy';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { needsApproval } from '../signup/place-form.js';
import { PlaceRequest } from '../signup/place-request.entity.js';
import { SignupApprovalsService } from '../signup/signup-approvals.service.js';
import { SignupConfirmationService } from '../signup/signup-confirmation.service.js';
import { SignupLinks } from '../signup/signup-links.js';
import { signupMailJob, SignupRequestsService } from '../signup/signup-requests.service.js';
import { signupMailWords } from './signup-mail.words.js';

interface Message {
  readonly to: string;
  readonly language: Language;
  readonly subject: string;
  readonly title: string;
  readonly blocks: readonly MailBlock[];
}

/**
 * Sends the mail that is due to the person of a form: the invitation, the confirmation link, the welcome, or the refusal. Before the
 * address is confirmed, mails contain no text that the sender of the form typed.
 */
@Injectable()
export class SignupMailsService implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly jobs: JobsService,
    private readonly transport: MailTransportService,
    private readonly links: SignupLinks,
    private readonly requests: SignupRequestsService,
    private readonly confirmation: SignupConfirmationService,
    private readonly approvals: SignupApprovalsService,
    private readonly contact: VenueContactService,
    private readonly images: ImagesService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(signupMailJob, (id) => this.send(id));
  }

  /** Whether this server sends mails. */
  get delivers(): boolean {
    return this.transport.delivers;
  }

  /** The link of the mail about a form, where pages may show it. @param token of the form */
  demoLink(token: string): string | undefined {
    const id = showsMailLinks(this.settings, currentTenant().host) ? this.links.idOf('form', token) : undefined;
    return id === undefined ? undefined : this.links.confirmationPath(id);
  }

  /** @throws MailDelayedError so that the job is repeated */
  private async send(id: string): Promise<void> {
    const request = await this.db.shared((tx) => tx.findOneBy(PlaceRequest, { id }));
    const message = request && (await this.message(request));
    if (!message) return;
    const { to, language, subject, title, blocks } = message;
    const tenant = currentTenant();
    const { name, timeZone, host } = tenant;
    const { email, address: where, website, logoImageId } = await this.contact.read();
    const url = tenantUrl(this.settings, tenant, '');
    const logo = logoImageId === null ? undefined : await this.images.printable(logoImageId);
    const sender = {
      name,
      url,
      timeZone,
      email,
      sender: this.settings.mailFrom.address,
      address: where,
      website,
      logo,
    };
    const content = mailFrame({
      language,
      tenant: sender,
      subject,
      title,
      blocks,
      footer: signupMailWords[language].footer(name),
    });
    const mail = {
      ...content,
      to,
      fromName: name,
      attachments: logoAttachment(sender),
      messageId: `${id}.${request.state}@${host}`,
    };
    try {
      await this.transport.send(email && isEmail(email) ? { ...mail, replyTo: email } : mail);
    } catch (error) {
      // The mailbox does not exist: the mail is dropped.
      if (!(error instanceof MailRefusedError)) throw error;
    }
    if (request.state === 'refused') await this.approvals.forget(id);
  }

  private async message(request: PlaceRequest): Promise<Message | undefined> {
    const { id, state } = request;
    const place = currentTenant();
    const link = (path: string): string => tenantUrl(this.settings, place, path);
    if (state === 'created') return this.welcome(id, link(this.links.confirmationPath(id)));
    // A form that operators decide about was confirmed: its person needs no link any more, and gets the decision by mail.
    if (!request.sealed || state === 'confirmed' || (state === 'draft' && !request.invited)) return undefined;
    if (state === 'refused') return this.refusal(request);
    const { form, language } = this.requests.read(request);
    const words = signupMailWords[language];
    const confirm = needsApproval(this.settings, request) ? { ...words.confirm, ...words.approval } : words.confirm;
    const { subject, lead, label } = state === 'waiting' ? confirm : words.invitation;
    const path = state === 'waiting' ? this.links.confirmationPath(id) : this.links.invitationPath(id);
    const blocks = [
      paragraph(lead(place.name)),
      button(label, link(path)),
      paragraph(words.until(request.expiresAt, language, place.timeZone)),
      address(words.copy, link(path)),
      fineprint(words.unasked),
    ];
    return { to: form.email, language, subject: subject(place.name), title: subject(place.name), blocks };
  }

  private refusal(request: PlaceRequest): Message {
    const { form, language, note: text = '' } = this.requests.read(request);
    const words = signupMailWords[language].refusal;
    const { name } = currentTenant();
    const blocks = [
      paragraph(words.lead(form.name, name)),
      ...(text === '' ? [] : [paragraph(words.note), note(text)]),
      fineprint(words.deleted),
    ];
    return { to: form.email, language, subject: words.subject(name), title: words.subject(name), blocks };
  }

  private async welcome(id: string, link: string): Promise<Message | undefined> {
    const status = await this.confirmation.status(id);
    if (status.kind !== 'created') return undefined;
    const { tenant, email, passwordPath } = status;
    const { language } = tenant;
    const words = signupMailWords[language].created;
    const panel = tenantUrl(this.settings, tenant, '/admin/welcome');
    const isDue = passwordPath !== undefined;
    const target = isDue ? link : panel;
    const blocks = [
      paragraph(words.lead(tenant.name, tenant.host)),
      paragraph(isDue ? words.choose : words.known),
      button(isDue ? words.password : words.signIn, target),
      address(signupMailWords[language].copy, target),
    ];
    return { to: email, language, subject: words.subject(tenant.name), title: words.subject(tenant.name), blocks };
  }
}
