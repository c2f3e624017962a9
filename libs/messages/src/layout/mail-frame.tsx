import type { Language } from '#kernel';
import { paragraph, TextLink, type MailBlock } from './mail-blocks.js';
import { logoPicture, mailDocument } from './mail-document.js';
import type { FilledTexts } from './own-texts.js';
import type { MailAttachment, MailMessage } from '../transport/mail-message.js';

/** The sending venue. */
export interface MailTenant {
  readonly name: string;
  /** Address of its agenda. */
  readonly url: string;
  /** IANA time zone of all dates in mails. */
  readonly timeZone: string;
  /** Reply address; null when the venue has none. */
  readonly email: string | null;
  /** Sender address of mails. */
  readonly sender: string;
  /** Postal address on one line. */
  readonly address?: string | null;
  /** Its own website, besides the agenda. */
  readonly website?: string | null;
  /** Colour of its pages, `#rrggbb`; null or absent: the usual one. */
  readonly accent?: string | null;
  /** Whether its contracts can be withdrawn from by law. */
  readonly hasWithdrawal?: boolean;
  /** JPEG on white. It is attached, because mails load nothing from the network. */
  readonly logo?: Buffer | undefined;
}

/** The content of a mail, without addresses and attachments. */
export interface MailContent {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

export interface MailFrame {
  readonly language: Language;
  readonly tenant: MailTenant;
  readonly subject: string;
  /** Main heading. */
  readonly title: string;
  /** Below the title. Plain text. */
  readonly subtitle?: string | null;
  /** Before the texts. */
  readonly greeting?: string;
  readonly blocks: readonly MailBlock[];
  /** Texts of the venue; its subject replaces `subject`. */
  readonly own?: FilledTexts;
  readonly footer: string;
}

/** The logo attachment for a mail of `mailFrame`; empty when the tenant has no logo. */
export function logoAttachment({ logo }: MailTenant): MailAttachment[] {
  return logo ? [{ filename: 'logo.jpg', contentType: 'image/jpeg', content: logo, contentId: logoPicture }] : [];
}

/** The message of a venue with a mail of `mailFrame`, to which the venue's name, reply address and logo are added. */
export function venueMessage(
  tenant: MailTenant,
  recipient: Pick<MailMessage, 'to' | 'toName'>,
  content: MailContent,
  attachments: readonly MailAttachment[] = [],
): MailMessage {
  return {
    ...recipient,
    fromName: tenant.name,
    ...(tenant.email && { replyTo: tenant.email }),
    ...content,
    attachments: [...logoAttachment(tenant), ...attachments],
  };
}

/** Renders a whole mail from its blocks. */
export function mailFrame(frame: MailFrame): MailContent {
  const { language, tenant, title, subtitle, footer, own } = frame;
  const subject = own?.subject || frame.subject;
  const blocks = allBlocks(frame);
  const { name, accent, logo } = tenant;
  const url = /^https?:\/\//i.test(tenant.url) ? tenant.url : '';
  const foot = footOf(tenant, footer);
  const html = mailDocument({ language, subject, title, subtitle, name, url, accent, hasLogo: !!logo, blocks, foot });
  const signature = [name, url, ...foot.map(({ text }) => text)].filter((line) => line !== '');
  const parts = [subtitle ? `${title}\n${subtitle}` : title, ...blocks.map(({ text }) => text), `-- \n${signature.join('\n')}`];
  return { subject, html, text: `${parts.filter((part) => part !== '').join('\n\n')}\n` };
}

/** Greeting, texts of the venue and the mail's own blocks, in their order. */
function allBlocks({ greeting, blocks, own = {} }: MailFrame): MailBlock[] {
  const end = blocks.findLastIndex(({ isSmall }) => !isSmall) + 1;
  const { intro, closing, signature } = own;
  const before = [greeting && paragraph(greeting), intro];
  const after = [closing, signature];
  return [...before, ...blocks.slice(0, end), ...after, ...blocks.slice(end)].filter((block) => typeof block === 'object');
}

/** The lines of the footer: the venue's address and website, and why the recipient gets this mail. */
function footOf({ name, address, website }: MailTenant, footer: string): MailBlock[] {
  const shown = website && /^https?:\/\//i.test(website) ? website : '';
  const words = shown.replace(/^https?:\/\//i, '').replace(/\/$/, '');
  const place = address ? `${name}, ${address}` : '';
  const html = (
    <>
      {place}
      {place && words && ' · '}
      {words && <TextLink href={shown}>{words}</TextLink>}
    </>
  );
  const text = [place, shown].filter((part) => part !== '').join('\n');
  return [...(text ? [{ html, text }] : []), { html: <>{footer}</>, text: footer }];
}
