import type { Language } from '#kernel';
import { PlainError, PlainField } from '../actions/plain-field.js';
import { PANEL_PATH } from '../request/panel-path.js';
import { PasskeyForm } from '../passkeys/passkey-form.js';
import type { PlainPage } from '../sign-in/plain-page.js';
import { Back, stepWords } from './steps.page.js';

interface CodeView {
  readonly place: string;
  readonly action: string;
  /** Query of the addresses to which forms are sent. */
  readonly query: string;
  readonly fault?: { readonly wrong: true } | { readonly seconds: number } | { readonly passkey: true } | undefined;
  /** What the person has here beside recovery codes. */
  readonly ways: { readonly app: boolean; readonly passkey: boolean };
}

/** Asks for the second factor: a passkey, the code of an app, or a recovery code. */
export function codePage(language: Language, { place, action, query, fault, ways }: CodeView): PlainPage {
  const words = stepWords[language];
  const { code, codeHow, codeLabel, codeWrong, errorTitle, lead, locked, lost, recoveryHow, recoveryLabel, submit } = words;
  return {
    title: ways.app ? code : words.second,
    hasPasskeys: ways.passkey,
    body: (
      <>
        <p class="gt-lead">{lead(place)}</p>
        {fault && (
          <PlainError
            title={errorTitle}
            text={'seconds' in fault ? locked(fault.seconds) : 'passkey' in fault ? words.passkeyRefused : codeWrong}
          />
        )}
        {ways.passkey && (
          <PasskeyForm action={`${PANEL_PATH}/login/code/passkey`} query={query} label={words.passkey} fault={words.passkeyFault} isMain />
        )}
        <p>{ways.app ? codeHow : ways.passkey ? recoveryHow : words.otherHost}</p>
        <form method="post" action={action}>
          <PlainField
            name="code"
            label={ways.app ? codeLabel : recoveryLabel}
            attributes={{
              autocomplete: 'one-time-code',
              autocapitalize: 'none',
              spellcheck: false,
              maxlength: 40,
              autofocus: !ways.passkey,
              ...(fault && 'wrong' in fault && { 'aria-invalid': true }),
            }}
          />
          <button class={ways.passkey ? 'gt-button gt-button-wide gt-button-quiet' : 'gt-button gt-button-wide'} type="submit">
            {submit}
          </button>
        </form>
        <p class="gt-after">{lost}</p>
        <Back language={language} />
      </>
    ),
  };
}
