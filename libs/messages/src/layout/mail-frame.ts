import { escapeHtml, type Language } from '#kernel';
import { paragraph, styles, type MailBlock } from './mail-blocks.js';
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

/** The content id of the logo in the HTML of a mail. */
const logoPicture = 'logo';

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

/** Optional styles: dark mode and narrow screens. Mails are readable in programs that ignore them. */
const narrow =
  '.page{padding:0!important}.card{padding:24px 20px!important;border-radius:0!important;' +
  'border-left:0!important;border-right:0!important}.facts th{width:76px!important}';
const sheet = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
.words p,.words ul,.words ol,.words blockquote,.words h2,.words h3,.words h4{margin:0 0 8px}
.words h2,.words h3,.words h4{font-size:16px}
.words a{color:#6b2d5c}
@media (max-width:480px){${narrow}}
@media (prefers-color-scheme:dark){
.page{background-color:#181318!important}.card{background-color:#221b22!important;border-color:#e6a9d3 #3b303a #3b303a!important}
.ink{color:#f2eaef!important}.soft{color:#b9abb4!important}.link,.words a,.venue{color:#e6a9d3!important}
.accent{background-color:#e6a9d3!important;color:#2a1024!important}.note{background-color:#3a2c12!important;color:#f3d79c!important}
.rule{border-color:#3b303a!important}.words{border-color:#e6a9d3!important}}`;

/** Renders a whole mail from its blocks. It loads nothing from the network. */
export function mailFrame(frame: MailFrame): MailContent {
  const { language, tenant, title, subtitle, footer, own } = frame;
  const subject = own?.subject || frame.subject;
  const blocks = allBlocks(frame);
  const shown = blocks.filter(({ html }) => html !== '');
  const url = /^https?:\/\//i.test(tenant.url) ? tenant.url : '';
  const name = escapeHtml(tenant.name);
  const { font, small } = styles;
  const link = url ? `<a class="venue" href="${escapeHtml(url)}" style="color:#6b2d5c;text-decoration:none">${name}</a>` : name;
  // Only the height is set, so that mail programs keep the proportions.
  const logo = tenant.logo
    ? `<img src="cid:${logoPicture}" height="48" alt="" ` +
      `style="display:block;height:48px;max-width:240px;margin:0 0 10px;border:0;border-radius:4px;background-color:#ffffff">\n`
    : '';
  const below = subtitle
    ? `<p class="soft" dir="auto" style="margin:0 0 20px;${font};font-size:17px;line-height:24px;color:#645a5f">` +
      `${escapeHtml(subtitle)}</p>\n`
    : '';
  const foot = footOf(tenant, footer);
  const table = '<table role="presentation" cellpadding="0" cellspacing="0" border="0" width="100%"';
  const card = 'padding:32px 36px 16px;background-color:#ffffff;border:1px solid #e3dacd;border-top:6px solid #6b2d5c;border-radius:8px';
  const heading =
    `margin:0 0 ${subtitle ? 4 : 20}px;font-family:Georgia,'Times New Roman',serif;font-size:28px;line-height:34px;` +
    'font-weight:700;color:#2a2326;word-break:break-word';
  const html = `<!doctype html>
<html lang="${language}" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title>${escapeHtml(subject)}</title>
<style>${sheet}
</style>
</head>
<body class="page" style="margin:0;padding:0;background-color:#faf7f2;-webkit-text-size-adjust:100%">
${table} class="page" style="width:100%;background-color:#faf7f2"><tr><td class="page" align="center" style="padding:24px 12px">
<!--[if mso]><table role="presentation" width="600" cellpadding="0" cellspacing="0"><tr><td><![endif]-->
${table} style="width:100%;max-width:600px;text-align:left">
<tr><td class="card" style="${card}">
${logo}<p class="venue" dir="auto" style="margin:0 0 8px;${font};font-size:15px;line-height:22px;font-weight:600;color:#6b2d5c">${link}</p>
<h1 class="ink" dir="auto" style="${heading}">${escapeHtml(title)}</h1>
${below}${shown.map((block) => block.html).join('\n')}
</td></tr>
<tr><td style="padding:16px 20px">
${foot.map((line) => `<p class="soft" dir="auto" style="margin:0;text-align:center;${small};font-size:13px">${line.html}</p>`).join('\n')}
</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
</body>
</html>
`;
  const signature = [tenant.name, url, ...foot.map(({ text }) => text)].filter((line) => line !== '');
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
function footOf({ name, address, website }: MailTenant, footer: string): { html: string; text: string }[] {
  const shown = website && /^https?:\/\//i.test(website) ? website : '';
  const words = shown.replace(/^https?:\/\//i, '').replace(/\/$/, '');
  const anchor = `<a class="link" href="${escapeHtml(shown)}" style="color:#6b2d5c">${escapeHtml(words)}</a>`;
  const where = [address && `${name}, ${address}`, words].filter((part): part is string => !!part);
  const html = where.map((part) => (part === words ? anchor : escapeHtml(part))).join(' · ');
  const text = [address && `${name}, ${address}`, shown].filter((part): part is string => !!part).join('\n');
  return [...(text ? [{ html, text }] : []), { html: escapeHtml(footer), text: footer }];
}
