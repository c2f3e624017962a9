import type { Language } from '#kernel';
import { PlainError, PlainField } from '../actions/plain-field.js';
import { texts } from '../locales/panel-kit.texts.js';
import { PANEL_PATH, proofPath } from '../request/panel-path.js';
import { PasskeyForm } from '../passkeys/passkey-form.js';
import type { PlainPage } from '../sign-in/plain-page.js';

/** Why a proof was refused. */
export type ProofFault = { readonly wrong: true } | { readonly seconds: number } | { readonly passkey: true };

interface Ways {
  readonly app: boolean;
  readonly passkey: boolean;
}

const words = texts.perLanguage('proof', ({ words: own, t }) => ({
  ...own,
  locked: (seconds: number) => t('proof.locked', { minutes: Math.ceil(seconds / 60) }),
}));

/** The texts of page and dialog. `passkey` is null where the person has none. */
export function proofWords(language: Language, ways: Ways, fault?: ProofFault): Record<string, string | null> {
  const { title, lead, submit, cancel, passkey, passkeyFault, wrong, passkeyRefused, label, labelWithCode, errorTitle, locked } =
    words[language];
  const refused = fault && ('seconds' in fault ? locked(fault.seconds) : 'passkey' in fault ? passkeyRefused : wrong);
  return {
    title,
    lead,
    label: ways.app ? labelWithCode : label,
    submit,
    cancel,
    passkey: ways.passkey ? passkey : null,
    passkeyFault,
    errorTitle,
    fault: refused ?? null,
  };
}

interface ProofView {
  readonly ways: Ways;
  readonly email: string;
  readonly next: string;
  readonly fault?: ProofFault | undefined;
}

/** Asks somebody who is signed in to prove again to be the person. */
export function proofPage(language: Language, { ways, email, next, fault }: ProofView): PlainPage {
  const { title, lead, label, submit, cancel, passkey, passkeyFault, errorTitle } = words[language];
  const refused = proofWords(language, ways, fault)['fault'];
  const query = `?next=${encodeURIComponent(next)}`;
  return {
    title,
    hasPasskeys: ways.passkey,
    body: (
      <>
        {refused && <PlainError title={errorTitle} text={refused} />}
        <p>{lead}</p>
        {ways.passkey && <PasskeyForm action={`${proofPath}/passkey`} query={query} label={passkey} fault={passkeyFault} isMain />}
        <form method="post" action={`${proofPath}${query}`}>
          <input type="text" name="username" autocomplete="username" value={email} readonly tabindex={-1} hidden />
          <PlainField
            name="secret"
            label={ways.app ? words[language].labelWithCode : label}
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
