import type { Language } from '#kernel';
import { PANEL_PATH, PlainError, PlainField, type PlainPage } from '#panel-kit';
import { accountPath } from './account.parts.js';
import { ownAccountWords } from './account.words.js';

interface SetUpView {
  /** The key for the app, in base 32. */
  readonly key: string;
  /** The QR code, as a data URL. */
  readonly picture: string;
  readonly fault?: string | undefined;
}

/** Shows the key of the second factor, and asks for the first code. */
export function setUpPage({ key, picture, fault }: SetUpView, language: Language): PlainPage {
  const words = ownAccountWords[language];
  const shownKey = key.replaceAll(/(.{4})(?=.)/g, '$1 ');
  return {
    title: words.setUpTitle,
    body: (
      <>
        {fault !== undefined && <PlainError title={words.errorTitle} text={fault} />}
        <p>{words.scan}</p>
        <p class="gt-key-picture">
          <img src={picture} alt={words.picture} width={220} height={220} />
        </p>
        <p>{words.typed}</p>
        <p class="gt-key">
          <code>{shownKey}</code>
        </p>
        <p>{words.enter}</p>
        <form method="post" action={`${accountPath}/factor`}>
          <PlainField
            name="code"
            label={words.codeOfApp}
            attributes={{ autocomplete: 'one-time-code', inputmode: 'numeric', maxlength: 10, ...(fault && { 'aria-invalid': true }) }}
          />
          <button class="gt-button gt-button-wide" type="submit">
            {words.switchOn}
          </button>
        </form>
        <p class="gt-after">
          <a href={accountPath}>{words.title}</a>
        </p>
      </>
    ),
  };
}

/** What people see who must set up a second factor: nothing else is open to them. @param hasPasskeys browsers have passkeys here */
export function requiredPage(language: Language, hasPasskeys: boolean): PlainPage {
  const words = ownAccountWords[language];
  return {
    title: words.requiredTitle,
    body: (
      <div class="gt-account">
        <p>{words.requiredLead}</p>
        {hasPasskeys && (
          <p>
            <a class="gt-button gt-button-wide" href={`${accountPath}/passkeys/new`}>
              {words.addPasskey}
            </a>
          </p>
        )}
        <p>
          <a class={hasPasskeys ? 'gt-button gt-button-wide gt-button-quiet' : 'gt-button gt-button-wide'} href={`${accountPath}/factor`}>
            {words.requiredApp}
          </a>
        </p>
        <p class="gt-after">
          <a href={`${PANEL_PATH}/logout`}>{words.signOut}</a>
        </p>
      </div>
    ),
  };
}

/** Shows the recovery codes, once. */
export function codesPage(codes: readonly string[], language: Language): PlainPage {
  const words = ownAccountWords[language];
  return {
    title: words.codesTitle,
    body: (
      <>
        <p>{words.codesLead}</p>
        <ul class="gt-codes">
          {codes.map((code) => (
            <li>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <p>
          <a class="gt-button gt-button-wide" href={accountPath}>
            {words.kept}
          </a>
        </p>
      </>
    ),
  };
}
