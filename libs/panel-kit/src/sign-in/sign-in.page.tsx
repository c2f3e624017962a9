import type { VNode } from 'preact';
import type { PlainPage } from './plain-page.js';
import { fill } from '../words/panel-words.js';
import type { PlainWords } from './plain-page.words.js';

/** Notice above the sign-in form. */
export type SignInNotice =
  | { kind: 'none' | 'invalid' | 'missing' | 'signed-out' | 'expired' }
  | { kind: 'locked' | 'busy'; retryAfterSeconds: number };

function Notice({ words, of }: { readonly words: PlainWords; readonly of: SignInNotice }): VNode | null {
  if (of.kind === 'none') return null;
  if (of.kind === 'signed-out' || of.kind === 'expired')
    return (
      <p class="gt-note" role="status">
        {of.kind === 'expired' ? words.expired : words.signedOut}
      </p>
    );
  const text = of.kind === 'locked' ? fill(words.locked, { minutes: Math.ceil(of.retryAfterSeconds / 60) }) : words[of.kind];
  return (
    <div class="gt-error" role="alert" tabindex={-1} id="error">
      <h2>{words.errorTitle}</h2>
      <p>{text}</p>
    </div>
  );
}

/** The sign-in form. */
export function signInPage(words: PlainWords, view: { place: string; action: string; email: string; notice: SignInNotice }): PlainPage {
  const { email, notice } = view;
  const isRefused = notice.kind === 'invalid' || notice.kind === 'missing';
  const fault = isRefused ? { 'aria-invalid': true, 'aria-describedby': 'error' } : {};
  return {
    title: words.title,
    body: (
      <>
        <p class="gt-lead">{fill(words.lead, { place: view.place })}</p>
        <Notice words={words} of={notice} />
        <form method="post" action={view.action}>
          <div class="gt-field">
            <label for="email">{words.email}</label>
            <input
              id="email"
              name="email"
              type="email"
              autocomplete="username"
              inputmode="email"
              autocapitalize="none"
              spellcheck={false}
              required
              maxlength={254}
              value={email}
              {...fault}
              autofocus={email === ''}
            />
          </div>
          <div class="gt-field">
            <label for="password">{words.password}</label>
            <input
              id="password"
              name="password"
              type="password"
              autocomplete="current-password"
              required
              maxlength={1000}
              {...fault}
              autofocus={email !== ''}
            />
          </div>
          <button class="gt-button gt-button-wide" type="submit">
            {words.submit}
          </button>
        </form>
      </>
    ),
  };
}

/** Asks for confirmation when the user opens the sign-out path as a link. */
export function signOutPage(words: PlainWords, view: { name: string; action: string; back: string }): PlainPage {
  return {
    title: words.signOutTitle,
    body: (
      <>
        <p>{fill(words.signOutSure, { name: view.name })}</p>
        <form method="post" action={view.action}>
          <button class="gt-button gt-button-wide" type="submit">
            {words.signOut}
          </button>
        </form>
        <p class="gt-after">
          <a href={view.back}>{words.stay}</a>
        </p>
      </>
    ),
  };
}
