import { currentLanguage, escapeHtml } from '#kernel';
import { orderWords } from './order.words.js';

/**
 * What comes next, as a section of a page.
 * @param lines paragraphs, plain text
 * @param more.fault why the last attempt failed, plain text; stands above the lines
 * @param more.html forms and links below the lines
 */
export function stepHtml(
  title: string,
  lines: readonly string[],
  { fault, html = [] }: { readonly fault?: string | undefined; readonly html?: readonly string[] } = {},
): string {
  const alert = fault === undefined ? [] : [`<p role="alert">${escapeHtml(fault)}</p>`];
  const parts = [...alert, ...lines.map((line) => `<p>${escapeHtml(line)}</p>`), ...html];
  return `<section class="step"><h2>${escapeHtml(title)}</h2>\n${parts.join('\n')}</section>`;
}

/** What a page says after a form that leads to a mail; plain text. */
export interface MailedWords {
  readonly title: string;
  readonly text: string;
  /** Instead of the text, where the server sends no mail. */
  readonly kept: string;
  /** What is true in both cases. */
  readonly more?: readonly string[];
}

/** @param isSent whether the server sends mail @returns title and lines for `stepHtml` */
export function mailedStep(isSent: boolean, { title, text, kept, more = [] }: MailedWords): [title: string, lines: string[]] {
  const { sentSpam, keptTitle } = orderWords[currentLanguage()];
  return isSent ? [title, [text, ...more, sentSpam]] : [keptTitle, [kept, ...more]];
}
