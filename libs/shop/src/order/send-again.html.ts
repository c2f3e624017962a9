import { currentLanguage, escapeHtml } from '#kernel';
import { inputHtml } from '#page-kit';
import { orderWords } from './order.words.js';

/** What the page of an order that awaits a confirmation says about its mail. */
export interface SentMail {
  /** Of the order. */
  readonly path: string;
  /** The mail was just sent again. */
  readonly isSentAgain?: boolean;
  /** What was typed, and why it was refused. */
  readonly email?: string;
  readonly fault?: string;
  readonly status?: number;
}

/** The form with which a buyer has the mail sent again, also to another address. @param current the address of the order */
export function sendAgainHtml(current: string, { path, email = current, fault }: SentMail): string {
  const words = orderWords[currentLanguage()];
  const field = inputHtml(
    { name: 'email', label: words.email, fault },
    { type: 'email', value: email, required: true, maxlength: 254, autocomplete: 'email' },
  );
  return `<details class="names"${fault === undefined ? '' : ' open'}>
<summary>${escapeHtml(words.sendAgainTitle)}</summary>
<form class="order" method="post" action="${escapeHtml(path)}/email" novalidate>
${field}
<p><button class="button">${escapeHtml(words.sendAgain)}</button></p>
</form></details>`;
}

/** The link to the form, for who typed a wrong address. @param form path of the form */
export const formAgainHtml = (form: string): string =>
  `<p><a href="${escapeHtml(form)}">${escapeHtml(orderWords[currentLanguage()].formAgain)}</a></p>`;

/** @param before path of the order that has the same tickets; undefined: there is none */
export function sameBeforeHtml(before: string | undefined): string {
  if (before === undefined) return '';
  const words = orderWords[currentLanguage()];
  const link = `<a href="${escapeHtml(before)}">${escapeHtml(words.showBefore)}</a>`;
  return `<section class="step" role="status"><p>${escapeHtml(words.sameBefore)} ${link}</p></section>\n`;
}
