import { cleanHtml, plainText } from '#catalogue';
import { escapeHtml } from '#kernel';
import { boxed, lines, styles, type MailBlock } from '../layout/mail-blocks.js';
const { font } = styles;

export interface BillLine {
  readonly title: string;
  readonly detail: string;
  readonly amount: string;
}

/** A list of booked items with their amounts, and the total. */
export function bill(heading: string, rows: readonly BillLine[], total?: readonly [label: string, amount: string]): MailBlock {
  const cell = `padding:10px 0;border-top:1px solid #e3dacd;vertical-align:top;${font};font-size:16px;line-height:24px;color:#2a2326`;
  const row = (left: string, amount: string, weight: number): string =>
    `<tr><td class="ink rule" dir="auto" style="${cell};font-weight:${weight};word-break:break-word">${left}</td>` +
    `<td class="ink rule" align="right" style="${cell};padding-left:16px;font-weight:${weight};white-space:nowrap">` +
    `${escapeHtml(amount)}</td></tr>`;
  const html = rows.map(({ title, detail, amount }) => {
    const second = detail ? `<br><span class="soft" style="font-size:14px;color:#645a5f">${escapeHtml(detail)}</span>` : '';
    return row(`${escapeHtml(title)}${second}`, amount, 400);
  });
  if (total) html.push(row(escapeHtml(total[0]), total[1], 700));
  return {
    html:
      `<h2 class="ink" style="margin:0 0 8px;${font};font-size:16px;line-height:24px;font-weight:700;color:#2a2326">` +
      `${escapeHtml(heading)}</h2>` +
      `<table cellpadding="0" cellspacing="0" border="0" width="100%" style="margin:0 0 24px;width:100%">${html.join('')}</table>`,
    text: [
      heading,
      ...rows.map(({ title, detail, amount }) => `- ${title}${detail ? `, ${detail}` : ''} — ${amount}`),
      ...(total ? [`${total[0]} — ${total[1]}`] : []),
    ].join('\n'),
  };
}

/** Rows of links, each with an optional title. The block is empty when no row has a link. */
export function linkRows(
  lead: string,
  rows: readonly { readonly title: string; readonly links: readonly (readonly [label: string, url: string])[] }[],
): MailBlock {
  const shown = rows.filter(({ links }) => links.length > 0);
  if (shown.length === 0) return { html: '', text: '' };
  const small = `${font};font-size:16px;line-height:24px`;
  const html = shown.map(({ title, links }) => {
    const head = title ? `<span class="soft" dir="auto" style="font-size:14px;color:#645a5f">${escapeHtml(title)}</span><br>` : '';
    const anchors = links.map(
      ([label, url]) =>
        `<a class="link" href="${escapeHtml(url)}" style="display:inline-block;padding:6px 24px 6px 0;color:#6b2d5c">` +
        `${escapeHtml(label)}</a>`,
    );
    return `<p class="ink" style="margin:0 0 8px;${small};color:#2a2326">${head}${anchors.join(' ')}</p>`;
  });
  return {
    html:
      `<p class="ink" style="margin:0 0 8px;${small};color:#2a2326">${escapeHtml(lead)}</p>${html.join('')}` +
      '<p style="margin:0 0 16px"></p>',
    text: [lead, ...shown.flatMap(({ title, links }) => [...(title ? [title] : []), ...links.flat()])].join('\n'),
  };
}

/** A text written by the venue. @param words plain text or HTML, which is cleaned */
export function venueWords(heading: string, words: string): MailBlock {
  const clean = cleanHtml(words);
  if (clean === '') return { html: '', text: '' };
  const isHtml = clean.includes('<');
  const html = isHtml ? clean : lines(clean);
  const text = isHtml ? textOf(clean) : clean;
  const ink = 'color:#2a2326;word-break:break-word';
  const style = `padding:4px 0 4px 16px;border-left:4px solid #6b2d5c;${font};font-size:16px;line-height:24px;${ink}`;
  return {
    html: boxed(
      `<td class="ink words" dir="auto" style="${style}"><strong class="soft" style="font-size:14px;font-weight:400;color:#645a5f">` +
        `${escapeHtml(heading)}</strong><div>${html}</div></td>`,
    ),
    text: `${heading}\n${text}`,
  };
}

/** Converts cleaned HTML to plain text: block elements start a new line, links are followed by their address. */
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
