import { awaitsAddress, MembershipOrdersService, MembershipRenewalsService } from '#memberships';
import { type Mail, HolderLinks } from '#tickets';
import { databaseNow, SETTINGS, type Settings } from '#kernel';
import { confirmMembershipMessage, membershipReminderMessage, renewalFailedMessage, renewalMessage, type MailMessage } from '#messages';
import { currentTenant, tenantUrl } from '#tenancy';
import { Inject, Injectable } from '@nestjs/common';
import { ownTextsIn } from '../../mails/mail-text-rules.js';
import { MailSourcesService } from '../mail-sources.service.js';
import type { WaitingMail } from '../mailed-reservation.js';

const kinds: ReadonlySet<string> = new Set([
  'confirm-membership',
  'membership-reminder',
  'membership-renewal',
  'membership-renewal-failed',
]);

/** Whether a mail about a membership asks something of the member. */
export const isMembershipNotice = (kind: Mail['kind']): boolean => kinds.has(kind);

/** Composes the mails that ask a member to confirm or to renew. */
@Injectable()
export class MembershipNoticesService {
  constructor(
    private readonly orders: MembershipOrdersService,
    private readonly renewals: MembershipRenewalsService,
    private readonly sources: MailSourcesService,
    private readonly links: HolderLinks,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** @returns undefined when the mail is obsolete: confirmed, renewed, over, or with another address now */
  async compose(
    { kind, recipient }: Pick<Mail, 'kind' | 'recipient'>,
    id: string,
    { isConfirmed, texts }: Pick<WaitingMail, 'isConfirmed' | 'texts'>,
  ): Promise<MailMessage | undefined> {
    const renewal = await this.orders.renewal(id);
    if (renewal?.membership.email !== recipient) return undefined;
    const { membership, next } = renewal;
    const { email, firstName, lastName, product, price, validUntil, linkVersion } = membership;
    const path = this.links.pathTo({ membershipId: id }, linkVersion);
    const language = membership.language ?? currentTenant().language;
    const facts = {
      language,
      tenant: await this.sources.venue(),
      own: ownTextsIn(texts, language),
      email,
      isConfirmed,
      firstName,
      lastName,
      name: `${product.name} · ${price.name}`,
      validUntil,
      minutes: this.settings.holdMinutes,
    };
    if (kind === 'confirm-membership') {
      if (!awaitsAddress(membership)) return undefined;
      return confirmMembershipMessage({ ...facts, url: this.urlOf(path.replace('/membership/', '/memberships/confirm/')) });
    }
    const isEnding = membership.status === 'active' && validUntil !== null && validUntil > databaseNow();
    if (!isEnding || next?.status === 'active') return undefined;
    const asked = { ...facts, url: this.urlOf(`${path}/renew`) };
    if (kind === 'membership-reminder') return membershipReminderMessage(asked);
    const automatic = await this.renewals.find(id);
    if (kind === 'membership-renewal-failed') return renewalFailedMessage({ ...asked, againAt: automatic?.dueAt });
    const { dueAt, amount } = automatic ?? {};
    if (dueAt === undefined || amount === undefined) return undefined;
    return renewalMessage({ ...facts, dueAt, amount, url: this.urlOf(`${path}/stop-renewal`) });
  }

  private urlOf(path: string): string {
    return tenantUrl(this.settings, currentTenant(), path);
  }
}
