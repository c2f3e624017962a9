import type { Language } from '#kernel';
import { PlainError, PlainField } from '../actions/plain-field.js';
import { PANEL_PATH, proofPath } from '../request/panel-path.js';
import { PasskeyForm } from '../passkeys/passkey-form.js';
import type { PlainPage } from '../sign-in/plain-page.js';
import { proofWords, type ProofFault, type ProofWays } from './proof.words.js';

interface ProofView {
  readonly ways: ProofWays;
  readonly email: string;
  readonly next: string;
  readonly fault?: ProofFault | undefined;
}

/** Asks somebody who is signed in to prove again to be the person. */
export function proofPage(language: Language, { ways, email, next, fault }: ProofView): PlainPage {
  const { title, lead, label, submit, cancel, passkey, passkeyFault, errorTitle, fault: refused } = proofWords(language, ways, fault);
  const query = `?next=${encodeURIComponent(next)}`;
  return {
    title,
    hasPasskeys: passkey !== null,
    body: (
      <>
        {refused && <PlainError title={errorTitle} text={refused} />}
        <p>{lead}</p>
        {passkey !== null && <PasskeyForm action={`${proofPath}/passkey`} query={query} label={passkey} fault={passkeyFault} isMain />}
        <form method="post" action={`${proofPath}${query}`}>
          <input type="text" name="username" autocomplete="username" value={email} readonly tabindex={-1} hidden />
          <PlainField
            name="secret"
            label={label}
            attributes={{
              type: 'password',
              autocomplete: 'current-password',
              maxlength: 1000,
              autofocus: !ways.passkey,
              ...(fault && 'wrong' in fault && { 'aria-invalid': true }),
            }}
          />
          <button class={ways.passkey ? 'gt-button gt-button-wide gt-button-quiet' : 'gt-button gt-button-wide'} type="submit">
            {submit}
          </button>
        </form>
        <p class="gt-after">
          <a href={PANEL_PATH}>{cancel}</a>
        </p>
      </>
    ),
  };
}
