import type { ComponentChildren } from 'preact';
import { Paragraph, TextLines, TextLink, type MailBlock } from './mail-blocks.js';

/** The texts that a venue adds to a mail, as its staff wrote them. A missing one is not shown; a missing subject is the built-in one. */
export interface OwnTexts {
  readonly subject?: string;
  /** Below the greeting. */
  readonly intro?: string;
  /** At the end, before notes in small print. */
  readonly closing?: string;
  /** Below the closing, in every mail. */
  readonly signature?: string;
}

/** Names that staff write in braces, by what the mail is about. */
export const placeholders = {
  booking: ['first_name', 'last_name', 'event', 'date', 'venue', 'reference'],
  membership: ['first_name', 'last_name', 'membership', 'date', 'venue'],
  waiting: ['event', 'date', 'venue'],
  signature: ['venue'],
} as const;

export type PlaceholderGroup = keyof typeof placeholders;

/** The values of a mail's placeholders; plain text. */
export type PlaceholderValues<Group extends PlaceholderGroup> = Readonly<Record<(typeof placeholders)[Group][number], string>>;

/** The texts of a venue in one mail. */
export interface FilledTexts {
  readonly subject?: string;
  readonly intro?: MailBlock;
  readonly closing?: MailBlock;
  readonly signature?: MailBlock;
}

/** Replaces the placeholders in the texts of a venue. An empty text counts as missing. */
export function fillOwnTexts({ subject, intro, closing, signature }: OwnTexts = {}, values: Readonly<Record<string, string>>): FilledTexts {
  return {
    ...(subject && { subject: filled(subject, values).trim() }),
    ...(intro && { intro: venueText(intro, values) }),
    ...(closing && { closing: venueText(closing, values) }),
    ...(signature && { signature: venueText(signature, values) }),
  };
}

/** The names in braces that are not among `known`, each once. */
export function unknownPlaceholders(text: string, known: readonly string[]): string[] {
  const named = [...text.matchAll(/\{([^{}\n]*)\}/g)].map(([, name = '']) => name);
  return [...new Set(named)].filter((name) => !known.includes(name));
}

/** A space before a placeholder belongs to it, so that an empty value leaves no double space. */
const placeholder = / ?\{([a-z_]+)\}/g;

/** An address of a web page, which may contain placeholders, or a placeholder. */
const parts = /https?:\/\/(?:[^\s<>"{}]|\{[a-z_]+\})+| ?\{[a-z_]+\}/g;

function filled(text: string, values: Readonly<Record<string, string>>, encode = (value: string): string => value): string {
  return text.replace(placeholder, (whole, name: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    return value === '' ? '' : `${whole.startsWith(' ') ? ' ' : ''}${encode(value)}`;
  });
}

/** A text of the venue: plain text whose line breaks stay, with addresses of web pages as links. Values never become links. */
function venueText(text: string, values: Readonly<Record<string, string>>): MailBlock {
  const shown: ComponentChildren[] = [];
  let plain = '';
  const add = (words: string, href?: string): void => {
    plain += words;
    shown.push(href === undefined ? <TextLines text={words} /> : <TextLink href={href}>{words}</TextLink>);
  };
  let end = 0;
  for (const { 0: found, index } of text.matchAll(parts)) {
    add(text.slice(end, index));
    end = index + found.length;
    if (!/^https?:/.test(found)) {
      add(filled(found, values));
      continue;
    }
    const address = found.replace(/[.,;:!?)\]]+$/, '');
    const words = filled(address, values, (value) => encodeURIComponent(value.toWellFormed()));
    add(words, URL.canParse(words) ? new URL(words).href : undefined);
    end -= found.length - address.length;
  }
  add(text.slice(end));
  return { html: <Paragraph>{shown}</Paragraph>, text: plain };
}
