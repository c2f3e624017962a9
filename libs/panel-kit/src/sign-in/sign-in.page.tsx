import type { VNode } from 'preact';
import type { PlainPage } from './plain-page.js';
import { addressField, PlainError, PlainField } from '../actions/plain-field.js';
import { PANEL_PATH } from '../request/panel-path.js';
import { fill } from '../words/panel-words.js';
import { PasskeyForm } from '../passkeys/passkey-form.js';
import type { PlainWords } from './plain-page.words.js';

const passkeyPath = `${PANEL_PATH}/login/passkey`;

/** Notice above the sign-in form. */
export type SignInNotice =
  | { kind: 'none' | 'invalid' | 'passkey' | 'missing' | 'signed-out' | 'expired' }
  | { kind: 'locked' | 'busy'; retryAfterSeconds: number };

function Notice({ words, of }: { readonly words: PlainWords; readonly of: SignInNotice }): VNode | null {
  if (of.kind === 'none') return null;
  if (of.kind === 'signed-out' || of.kind === 'expired')
    return (
      <p class="gt-note" role="status">
        {of.kind === 'expired' ? words.expired : words.signedOut}
      </p>
    );
  const text =
    of.kind === 'locked'
      ? fill(words.locked, { minutes: Math.ceil(of.retryAfterSeconds / 60) })
      : words[of.kind === 'passkey' ? 'passkeyRefused' : of.kind];
  return <PlainError title={words.errorTitle} text={text} />;
}

interface SignInView {
  readonly place: string;
  readonly action: string;
  /** Address of the page for a forgotten password. */
  readonly forgotten: string;
  readonly email: string;
  readonly notice: SignInNotice;
  /** The site has passkeys. */
  readonly hasPasskeys: boolean;
  /** Query of the addresses to which forms are sent. */
  readonly query: string;
}

/** The sign-in form. */
export function signInPage(words: PlainWords, view: SignInView): PlainPage {
  const { email, notice } = view;
  const isRefused = notice.kind === 'invalid' || notice.kind === 'missing';
  const fault = isRefused ? { 'aria-invalid': true, 'aria-describedby': 'error' } : {};
  return {
    title: words.title,
    hasPasskeys: view.hasPasskeys,
    body: (
      <>
        <p class="gt-lead">{fill(words.lead, { place: view.place })}</p>
        <Notice words={words} of={notice} />
        <form method="post" action={view.action}>
          <PlainField name="email" label={words.email} attributes={{ ...addressField, ...fault, value: email, autofocus: email === '' }} />
          <PlainField
            name="password"
            label={words.password}
            attributes={{ type: 'password', autocomplete: 'current-password', maxlength: 1000, ...fault, autofocus: email !== '' }}
          />
          <button class="gt-button gt-button-wide" type="submit">
            {words.submit}
          </button>
        </form>
        {view.hasPasskeys && <PasskeyForm action={passkeyPath} query={view.query} label={words.passkey} fault={words.passkeyFault} />}
        <p class="gt-after">
          <a href={view.forgotten}>{words.forgotten}</a>
        </p>
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
