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

/**
 * What comes next after a form that leads to a mail, as a section of a page.
 * @param isSent whether the server sends mail
 * @param again HTML of what to do when the address was wrong or no mail arrives
 * @param isSentAgain the mail was just sent again
 */
export function mailedStepHtml(isSent: boolean, said: MailedWords, again: string, isSentAgain = false): string {
  const { title, text, kept, more = [] } = said;
  const { sentSpam, sentAgain, keptTitle } = orderWords[currentLanguage()];
  if (!isSent) return stepHtml(keptTitle, [kept, ...more]);
  return stepHtml(title, [...(isSentAgain ? [sentAgain] : []), text, ...more, sentSpam], { html: [again] });
}
