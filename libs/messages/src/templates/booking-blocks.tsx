import { cleanHtml, plainText } from '#catalogue';
import { SafeHtml } from '#http';
import type { Language } from '#kernel';
import type { ComponentChildren, VNode } from 'preact';
import { placeLines } from '../facts/event-facts.js';
import type { MailPlace } from '../facts/mail-facts.js';
import { mailWords } from '../facts/mail.words.js';
import { bare, Boxed, noBlock, styles, TextLines, TextLink, type FactRow, type MailBlock } from '../layout/mail-blocks.js';
import { useMailColours } from '../layout/mail-colours.js';

const { font } = styles;

export interface BillLine {
  readonly title: string;
  readonly detail: string;
  /** Empty: not told. */
  readonly amount: string;
}

/** Where an event is, with a link to a map; no row when it is not known. */
export function whereRows(place: MailPlace | null, language: Language): FactRow[] {
  const { where, map: words } = mailWords[language];
  const lines = placeLines(place).join('\n');
  const href = place?.map;
  if (lines === '') return [];
  return [href === undefined ? [where, lines] : [where, lines, { words, href }]];
}

/** The name of an event above what the mail says about it. */
export const heading = (text: string): MailBlock => ({ html: <Heading size={20} text={text} />, text: text.toUpperCase() });

function Heading({ size, text }: { readonly size: number; readonly text: string }): VNode {
  return (
    <h2 class="ink" dir="auto" style={`margin:0 0 8px;${font};font-size:${size}px;line-height:24px;font-weight:700;color:#2a2326`}>
      {text}
    </h2>
  );
}

/** A list of booked items with their amounts, and the total. */
export function bill(title: string, rows: readonly BillLine[], total?: readonly [label: string, amount: string]): MailBlock {
  return {
    html: (
      <>
        <Heading size={16} text={title} />
        <table {...bare} width="100%" style="margin:0 0 24px;width:100%">
          {rows.map(({ title: item, detail, amount }) => (
            <BillRow amount={amount} weight={400}>
              {item}
              {detail && (
                <>
                  <br />
                  <span class="soft" style="font-size:14px;color:#645a5f">
                    {detail}
                  </span>
                </>
              )}
            </BillRow>
          ))}
          {total && (
            <BillRow amount={total[1]} weight={700}>
              {total[0]}
            </BillRow>
          )}
        </table>
      </>
    ),
    text: [
      title,
      ...rows.map(({ title: item, detail, amount }) => [`- ${item}${detail ? `, ${detail}` : ''}`, amount].filter(Boolean).join(' — ')),
      ...(total ? [`${total[0]} — ${total[1]}`] : []),
    ].join('\n'),
  };
}

interface BillRowProps {
  readonly amount: string;
  /** Of the font. */
  readonly weight: number;
  readonly children: ComponentChildren;
}

function BillRow({ amount, weight, children }: BillRowProps): VNode {
  const cell = `padding:10px 0;border-top:1px solid #e3dacd;vertical-align:top;${font};font-size:16px;line-height:24px;color:#2a2326`;
  return (
    <tr>
      <td class="ink rule" dir="auto" style={`${cell};font-weight:${weight};word-break:break-word`}>
        {children}
      </td>
      <td class="ink rule" align="right" style={`${cell};padding-left:16px;font-weight:${weight};white-space:nowrap`}>
        {amount}
      </td>
    </tr>
  );
}

interface LinkRow {
  readonly title: string;
  readonly links: readonly (readonly [label: string, url: string])[];
}

/** Rows of links, each with an optional title. The block is empty when no row has a link. */
export function linkRows(lead: string, rows: readonly LinkRow[]): MailBlock {
  const shown = rows.filter(({ links }) => links.length > 0);
  if (shown.length === 0) return noBlock;
  const style = `margin:0 0 8px;${font};font-size:16px;line-height:24px;color:#2a2326`;
  return {
    html: (
      <>
        <p class="ink" style={style}>
          {lead}
        </p>
        {shown.map((row) => (
          <p class="ink" style={style}>
            <Links {...row} />
          </p>
        ))}
        <p style="margin:0 0 16px" />
      </>
    ),
    text: [lead, ...shown.flatMap(({ title, links }) => [...(title ? [title] : []), ...links.flat()])].join('\n'),
  };
}

function Links({ title, links }: LinkRow): VNode {
  return (
    <>
      {title && (
        <>
          <span class="soft" dir="auto" style="font-size:14px;color:#645a5f">
            {title}
          </span>
          <br />
        </>
      )}
      {links.map(([label, url], index) => (
        <>
          {index > 0 && ' '}
          <TextLink href={url} style="display:inline-block;padding:6px 24px 6px 0">
            {label}
          </TextLink>
        </>
      ))}
    </>
  );
}

/** A text written by the venue. @param words plain text or HTML, which is cleaned */
export function venueWords(heading: string, words: string): MailBlock {
  const clean = cleanHtml(words);
  if (clean === '') return noBlock;
  const isHtml = clean.includes('<');
  return {
    html: <VenueWords heading={heading}>{isHtml ? <SafeHtml html={clean} /> : <TextLines text={clean} />}</VenueWords>,
    text: `${heading}\n${isHtml ? textOf(clean) : clean}`,
  };
}

function VenueWords({ heading, children }: { readonly heading: string; readonly children: VNode }): VNode {
  const { fill } = useMailColours();
  const ink = 'color:#2a2326;word-break:break-word';
  const style = `padding:4px 0 4px 16px;border-left:4px solid ${fill};${font};font-size:16px;line-height:24px;${ink}`;
  return (
    <Boxed>
      <td class="ink words" dir="auto" style={style}>
        <strong class="soft" style="font-size:14px;font-weight:400;color:#645a5f">
          {heading}
        </strong>
        <div>{children}</div>
      </td>
    </Boxed>
  );
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
