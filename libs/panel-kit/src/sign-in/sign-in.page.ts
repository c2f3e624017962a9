import { escapeHtml } from '#kernel';
import type { PlainPage } from './plain-page.js';
import { fill } from '../words/panel-words.js';
import type { PlainWords } from './plain-page.words.js';

/** Notice above the sign-in form. */
export type SignInNotice =
  | { kind: 'none' | 'invalid' | 'missing' | 'signed-out' | 'expired' }
  | { kind: 'locked' | 'busy'; retryAfterSeconds: number };

function notice(words: PlainWords, of: SignInNotice): string {
  if (of.kind === 'none') return '';
  if (of.kind === 'signed-out' || of.kind === 'expired') {
    const text = of.kind === 'expired' ? words.expired : words.signedOut;
    return `<p class="gt-note" role="status">${escapeHtml(text)}</p>`;
  }
  const text = of.kind === 'locked' ? fill(words.locked, { minutes: Math.ceil(of.retryAfterSeconds / 60) }) : words[of.kind];
  return `<div class="gt-error" role="alert" tabindex="-1" id="error">
<h2>${escapeHtml(words.errorTitle)}</h2>
<p>${escapeHtml(text)}</p>
</div>`;
}

/** The sign-in form. */
export function signInPage(words: PlainWords, view: { place: string; action: string; email: string; notice: SignInNotice }): PlainPage {
  const refused = view.notice.kind === 'invalid' || view.notice.kind === 'missing';
  const fault = refused ? ' aria-invalid="true" aria-describedby="error"' : '';
  return {
    title: words.title,
    body: `<p class="gt-lead">${escapeHtml(fill(words.lead, { place: view.place }))}</p>
${notice(words, view.notice)}
<form method="post" action="${escapeHtml(view.action)}">
<div class="gt-field">
<label for="email">${escapeHtml(words.email)}</label>
<input id="email" name="email" type="email" autocomplete="username" inputmode="email" autocapitalize="none" spellcheck="false"
  required maxlength="254" value="${escapeHtml(view.email)}"${fault}${view.email ? '' : ' autofocus'}>
</div>
<div class="gt-field">
<label for="password">${escapeHtml(words.password)}</label>
<input id="password" name="password" type="password" autocomplete="current-password"
  required maxlength="1000"${fault}${view.email ? ' autofocus' : ''}>
</div>
<button class="gt-button gt-button-wide" type="submit">${escapeHtml(words.submit)}</button>
</form>`,
  };
}

/** Asks for confirmation when the user opens the sign-out path as a link. */
export function signOutPage(words: PlainWords, view: { name: string; action: string; back: string }): PlainPage {
  return {
    title: words.signOutTitle,
    body: `<p>${escapeHtml(fill(words.signOutSure, { name: view.name }))}</p>
<form method="post" action="${escapeHtml(view.action)}">
<button class="gt-button gt-button-wide" type="submit">${escapeHtml(words.signOut)}</button>
</form>
<p class="gt-after"><a href="${escapeHtml(view.back)}">${escapeHtml(words.stay)}</a></p>`,
  };
}
