import { Stacked } from '#http';
import type { ComponentChildren, VNode } from 'preact';
import { useMailColours } from './mail-colours.js';

/** A part of a mail, as HTML and as plain text. */
export interface MailBlock {
  /** null when there is nothing to show. */
  readonly html: VNode | null;
  readonly text: string;
  /** In small print: stays at the end of the mail. */
  readonly isSmall?: true;
}

/** A block that is not shown. */
export const noBlock: MailBlock = { html: null, text: '' };

const font = `font-family:-apple-system,'Segoe UI',Roboto,'Noto Sans','Helvetica Neue',Arial,sans-serif`;
const body = `margin:0 0 16px;${font};font-size:16px;line-height:24px;color:#2a2326`;
const small = `${font};font-size:14px;line-height:20px;color:#645a5f`;

/** Shared inline styles. Styles are inline because some mail programs drop style sheets. */
export const styles = { font, small };

/** Attributes of every table, because mail programs give tables borders and spaces of their own. */
export const bare = { cellpadding: '0', cellspacing: '0', border: '0' };

/** A paragraph of plain text. */
export function paragraph(text: string): MailBlock {
  return {
    html: (
      <Paragraph>
        <TextLines text={text} />
      </Paragraph>
    ),
    text,
  };
}

/** A paragraph of texts and elements. */
export function Paragraph({ children }: { readonly children: ComponentChildren }): VNode {
  return (
    <p class="ink" dir="auto" style={body}>
      {children}
    </p>
  );
}

/** A paragraph in small print. */
export function fineprint(text: string): MailBlock {
  return {
    html: (
      <p class="soft" dir="auto" style={`margin:0 0 16px;${small}`}>
        <TextLines text={text} />
      </p>
    ),
    text,
    isSmall: true,
  };
}

/** A highlighted paragraph. */
export function note(text: string): MailBlock {
  const style = `padding:12px 16px;background-color:#fbf1de;border-radius:8px;${font};font-size:16px;line-height:24px;color:#6b4500`;
  return {
    html: (
      <Boxed>
        <td class="note" dir="auto" style={style}>
          <TextLines text={text} />
        </td>
      </Boxed>
    ),
    text,
  };
}

/** The main action. @param url http or https; the block is empty for any other scheme */
export function button(label: string, url: string): MailBlock {
  const href = webAddress(url);
  if (!href) return noBlock;
  return { html: <Button href={href}>{label}</Button>, text: `${label}\n${href}` };
}

function Button({ href, children }: LinkProps): VNode {
  const { fill, onFill } = useMailColours();
  const link =
    `display:inline-block;padding:12px 24px;${font};font-size:16px;line-height:24px;font-weight:600;` +
    `color:${onFill};text-decoration:none;border-radius:8px`;
  return (
    <table role="presentation" {...bare} style="margin:8px 0 24px">
      <tr>
        <td class="accent" style={`background-color:${fill};border-radius:8px`}>
          <a class="accent" href={href} style={link}>
            {children}
          </a>
        </td>
      </tr>
    </table>
  );
}

/** An address to copy. The text part is empty, because the button's text already contains the address. */
export function address(label: string, url: string): MailBlock {
  const href = webAddress(url);
  if (!href) return noBlock;
  return {
    html: (
      <p class="soft" style={`margin:0 0 16px;${small}`}>
        {label}
        <br />
        <TextLink href={href} style="word-break:break-all">
          {href}
        </TextLink>
      </p>
    ),
    text: '',
    isSmall: true,
  };
}

/** A link with lines of text below it. Without an http or https address it is plain text. */
export function linkedLines(label: string, url: string, lines: readonly string[]): MailBlock {
  const href = webAddress(url);
  const shown = lines.filter((line) => line !== '');
  return {
    html: (
      <Paragraph>
        <strong>{href === undefined ? label : <TextLink href={href}>{label}</TextLink>}</strong>
        <br />
        <TextLines text={shown.join('\n')} />
      </Paragraph>
    ),
    text: [label, ...shown, ...(href === undefined ? [] : [href])].join('\n'),
  };
}

/** A link in small print. @param url http or https; the block is empty for any other scheme */
export function linkAlone(label: string, url: string): MailBlock {
  const href = webAddress(url);
  if (!href) return noBlock;
  return {
    html: (
      <p class="soft" dir="auto" style={`margin:0 0 16px;${small}`}>
        <TextLink href={href}>{label}</TextLink>
      </p>
    ),
    text: `${label}\n${href}`,
    isSmall: true,
  };
}

/** A label and its value, which may have several lines, with a link below it. */
export type FactRow = readonly [label: string, value: string, link?: { readonly words: string; readonly href: string }];

/** A table of labels and values. */
export function facts(rows: readonly FactRow[]): MailBlock {
  const cell = `padding:6px 0;vertical-align:top;${font};font-size:16px;line-height:24px`;
  const head = `${cell};padding-right:16px;width:96px;font-weight:400;font-size:14px;color:#645a5f`;
  return {
    html: (
      <table class="facts" {...bare} width="100%" style="margin:0 0 24px;width:100%">
        {rows.map(([label, value, link]) => (
          <tr>
            <th class="soft" scope="row" align="left" style={head}>
              {label}
            </th>
            <td class="ink" dir="auto" style={`${cell};color:#2a2326;word-break:break-word`}>
              <TextLines text={value} />
              {link && (
                <>
                  <br />
                  <TextLink href={link.href}>{link.words}</TextLink>
                </>
              )}
            </td>
          </tr>
        ))}
      </table>
    ),
    text: rows
      .map(([label, value, link]) => `${label}\n  ${[value, ...(link ? [link.href] : [])].join('\n').replaceAll('\n', '\n  ')}`)
      .join('\n'),
  };
}

/** An attached picture on a white background, so that a code can be scanned in dark mode. */
export function picture(contentId: string, alternative: string, size: number): MailBlock {
  return {
    html: (
      <table role="presentation" {...bare} width="100%" style="margin:0 0 16px;width:100%">
        <tr>
          <td align="center">
            <img
              src={`cid:${contentId}`}
              width={size}
              height={size}
              alt={alternative}
              style="display:block;border:0;border-radius:8px;background-color:#ffffff"
            />
          </td>
        </tr>
      </table>
    ),
    text: '',
  };
}

/** A table of full width around one cell. */
export function Boxed({ children }: { readonly children: VNode }): VNode {
  return (
    <table role="presentation" {...bare} width="100%" style="margin:0 0 24px;width:100%">
      <tr>{children}</tr>
    </table>
  );
}

/** A plain text that keeps its line breaks. */
export function TextLines({ text }: { readonly text: string }): VNode {
  return <Stacked>{text.split(/\r?\n/)}</Stacked>;
}

interface LinkProps {
  readonly href: string;
  readonly children: string;
}

/** A link within a text. @param style more of its style */
export function TextLink({ href, style = '', children }: LinkProps & { readonly style?: string }): VNode {
  const { accent } = useMailColours();
  return (
    <a class="link" href={href} style={`color:${accent}${style && `;${style}`}`}>
      {children}
    </a>
  );
}

/** Normalises an http or https address; undefined for anything else. */
function webAddress(url: string): string | undefined {
  return /^https?:\/\//i.test(url) && URL.canParse(url) ? new URL(url).href : undefined;
}
