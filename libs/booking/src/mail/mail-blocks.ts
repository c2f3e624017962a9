import { cleanHtml, plainText } from '#catalogue';
import { escapeHtml } from '#kernel';

/** A part of a mail, for those who read HTML and for those who read text. */
export interface MailBlock {
  readonly html: string;
  readonly text: string;
}

const font = `font-family:-apple-system,'Segoe UI',Roboto,'Noto Sans','Helvetica Neue',Arial,sans-serif`;
const body = `margin:0 0 16px;${font};font-size:16px;line-height:24px;color:#2a2326`;
const small = `${font};font-size:14px;line-height:20px;color:#645a5f`;

/** Styles for whole mails; those of the blocks stand in their elements, as some programs drop everything else. */
export const styles = { font, small };

export function paragraph(text: string): MailBlock {
  return { html: `<p class="ink" dir="auto" style="${body}">${lines(text)}</p>`, text };
}

export function fineprint(text: string): MailBlock {
  return { html: `<p class="soft" dir="auto" style="margin:0 0 16px;${small}">${lines(text)}</p>`, text };
}

/** What must not be overlooked. */
export function note(text: string): MailBlock {
  const style = `padding:12px 16px;background-color:#fbf1de;border-radius:8px;${font};font-size:16px;line-height:24px;color:#6b4500`;
  return { html: boxed(`<td class="note" dir="auto" style="${style}">${lines(text)}</td>`), text };
}

/** The one thing to do. @param url to http or https; anything else gives nothing */
export function button(label: string, url: string): MailBlock {
  const href = webAddress(url);
  if (!href) return { html: '', text: '' };
  const link = `display:inline-block;padding:12px 24px;${font};font-size:16px;line-height:24px;font-weight:600;color:#ffffff;text-decoration:none;border-radius:8px`;
  return {
    html: `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px"><tr><td class="accent" style="background-color:#6b2d5c;border-radius:8px"><a class="accent" href="${escapeHtml(href)}" style="${link}">${escapeHtml(label)}</a></td></tr></table>`,
    text: `${label}\n${href}`,
  };
}

/** An address to copy. */
export function address(label: string, url: string): MailBlock {
  const href = webAddress(url);
  if (!href) return { html: '', text: '' };
  const link = `<a class="link" href="${escapeHtml(href)}" style="color:#6b2d5c;word-break:break-all">${escapeHtml(href)}</a>`;
  return { html: `<p class="soft" style="margin:0 0 16px;${small}">${escapeHtml(label)}<br>${link}</p>`, text: '' };
}

/** Label and value, one row each; a value may have several lines. */
export function facts(rows: readonly (readonly [label: string, value: string])[]): MailBlock {
  const cell = `padding:6px 0;vertical-align:top;${font};font-size:16px;line-height:24px`;
  const html = rows.map(
    ([label, value]) =>
      `<tr><th class="soft" scope="row" align="left" style="${cell};padding-right:16px;width:96px;font-weight:400;font-size:14px;color:#645a5f">${escapeHtml(label)}</th><td class="ink" dir="auto" style="${cell};color:#2a2326;word-break:break-word">${lines(value)}</td></tr>`,
  );
  return {
    html: `<table class="facts" cellpadding="0" cellspacing="0" border="0" width="100%" style="margin:0 0 24px;width:100%">${html.join('')}</table>`,
    text: rows.map(([label, value]) => `${label}\n  ${value.replaceAll('\n', '\n  ')}`).join('\n'),
  };
}

export interface BillLine {
  readonly title: string;
  readonly detail: string;
  readonly amount: string;
}

/** What was booked, with what it costs. */
export function bill(
  heading: string,
  rows: readonly BillLine[],
  total: readonly [label: string, amount: string],
): MailBlock {
  const cell = `padding:10px 0;border-top:1px solid #e3dacd;vertical-align:top;${font};font-size:16px;line-height:24px;color:#2a2326`;
  const row = (left: string, amount: string, weight: number): string =>
    `<tr><td class="ink rule" dir="auto" style="${cell};font-weight:${weight};word-break:break-word">${left}</td><td class="ink rule" align="right" style="${cell};padding-left:16px;font-weight:${weight};white-space:nowrap">${escapeHtml(amount)}</td></tr>`;
  const html = rows.map(({ title, detail, amount }) => {
    const second = detail
      ? `<br><span class="soft" style="font-size:14px;color:#645a5f">${escapeHtml(detail)}</span>`
      : '';
    return row(`${escapeHtml(title)}${second}`, amount, 400);
  });
  html.push(row(escapeHtml(total[0]), total[1], 700));
  return {
    html: `<h2 class="ink" style="margin:0 0 8px;${font};font-size:16px;line-height:24px;font-weight:700;color:#2a2326">${escapeHtml(heading)}</h2><table cellpadding="0" cellspacing="0" border="0" width="100%" style="margin:0 0 24px;width:100%">${html.join('')}</table>`,
    text: [
      heading,
      ...rows.map(({ title, detail, amount }) => `- ${title}${detail ? `, ${detail}` : ''} — ${amount}`),
      `${total[0]} — ${total[1]}`,
    ].join('\n'),
  };
}

/** What the venue says itself. @param words text, or the HTML that descriptions may hold */
export function venueWords(heading: string, words: string): MailBlock {
  const clean = cleanHtml(words);
  if (clean === '') return { html: '', text: '' };
  const isHtml = clean.includes('<');
  const html = isHtml ? clean : lines(clean);
  const text = isHtml ? textOf(clean) : clean;
  const style = `padding:4px 0 4px 16px;border-left:4px solid #6b2d5c;${font};font-size:16px;line-height:24px;color:#2a2326;word-break:break-word`;
  return {
    html: boxed(
      `<td class="ink words" dir="auto" style="${style}"><strong class="soft" style="font-size:14px;font-weight:400;color:#645a5f">${escapeHtml(heading)}</strong><div>${html}</div></td>`,
    ),
    text: `${heading}\n${text}`,
  };
}

/** A picture that goes with the mail; on white, so that it can be scanned in the dark, too. */
export function picture(contentId: string, alternative: string, size: number): MailBlock {
  return {
    html: `<table role="presentation" cellpadding="0" cellspacing="0" border="0" width="100%" style="margin:0 0 16px;width:100%"><tr><td align="center"><img src="cid:${escapeHtml(contentId)}" width="${size}" height="${size}" alt="${escapeHtml(alternative)}" style="display:block;border:0;border-radius:8px;background-color:#ffffff"></td></tr></table>`,
    text: '',
  };
}

function boxed(cell: string): string {
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" width="100%" style="margin:0 0 24px;width:100%"><tr>${cell}</tr></table>`;
}

function lines(text: string): string {
  return escapeHtml(text).replace(/\r?\n/g, '<br>');
}

/** The address as a link may hold it; undefined when it does not lead to the web. */
function webAddress(url: string): string | undefined {
  return /^https?:\/\//i.test(url) && URL.canParse(url) ? new URL(url).href : undefined;
}

/** HTML of a description as text: what is a block begins a line, links say where they lead. */
function textOf(html: string): string {
  return html
    .replace(/\s+/g, ' ')
    .replace(/<a href="([^"]*)"[^>]*>(.*?)<\/a>/g, (whole, href: string, label: string) =>
      plainText(label) === plainText(`<a>${href}</a>`) ? label : `${whole} (${href})`,
    )
    .replace(/<li>/g, '\n<b></b>- ')
    .replace(/<(br ?\/?|\/(p|h[2-4]|blockquote|ul|ol))>/g, '\n')
    .split('\n')
    .map((line) => plainText(`<b></b>${line}`))
    .filter((line) => line !== '')
    .join('\n');
}
