import type { Language } from '#kernel';
import { PasskeyForm, PlainError, PlainField, type PlainPage } from '#panel-kit';
import type { OwnPasskey } from '#tenancy';
import type { VNode } from 'preact';
import { accountPath, Part, PresentPassword } from './account.parts.js';
import { ownAccountWords } from './account.words.js';

/** Longest name of a passkey. */
export const longestName = 60;

/** Where passkeys are added and changed. */
export const passkeysPath = `${accountPath}/passkeys`;

function Name({ language, value }: { readonly language: Language; readonly value: string }): VNode {
  const { passkeyName, passkeyNameHow } = ownAccountWords[language];
  return (
    <PlainField name="name" label={passkeyName} hint={passkeyNameHow} attributes={{ maxlength: longestName, value, autocomplete: 'off' }} />
  );
}

function Back({ language }: { readonly language: Language }): VNode {
  return (
    <p class="gt-after">
      <a href={accountPath}>{ownAccountWords[language].title}</a>
    </p>
  );
}

/** Asks the browser to make a passkey for a host. */
export function newPasskeyPage(
  language: Language,
  { host, name, fault }: { host: string; name: string; fault?: string | undefined },
): PlainPage {
  const words = ownAccountWords[language];
  return {
    title: words.addPasskey,
    hasPasskeys: true,
    body: (
      <>
        {fault !== undefined && <PlainError title={words.errorTitle} text={fault} />}
        <p>{words.addHow(host)}</p>
        <PasskeyForm action={passkeysPath} label={words.makePasskey} fault={words.notMade} isNew isMain>
          <Name language={language} value={name} />
        </PasskeyForm>
        <noscript>
          <p>{words.noPasskeysHere}</p>
        </noscript>
        <Back language={language} />
      </>
    ),
  };
}

interface PasskeyView {
  readonly passkey: OwnPasskey;
  readonly email: string;
  /** The person can prove with a passkey here. */
  readonly proves: boolean;
  readonly fault?: string | undefined;
}

/** Renames and removes a passkey. */
export function passkeyPage(language: Language, { passkey, email, proves, fault }: PasskeyView): PlainPage {
  const words = ownAccountWords[language];
  const path = `${passkeysPath}/${passkey.id}`;
  return {
    title: passkey.name,
    hasPasskeys: proves,
    body: (
      <div class="gt-account">
        {fault !== undefined && <PlainError title={words.errorTitle} text={fault} />}
        <p class="gt-lead">{words.worksAt(passkey.host)}</p>
        <form method="post" action={path}>
          <Name language={language} value={passkey.name} />
          <button class="gt-button" type="submit">
            {words.save}
          </button>
        </form>
        <Part title={words.removePasskey}>
          <p>{words.removeHow}</p>
          {proves && <PasskeyForm action={`${path}/remove`} label={words.removeWithPasskey} fault={words.notUsed} />}
          <form method="post" action={`${path}/remove`}>
            <PresentPassword name="password" email={email} label={words.present} />
            <button class="gt-button gt-button-danger-quiet" type="submit">
              {words.removeIt}
            </button>
          </form>
        </Part>
        <Back language={language} />
      </div>
    ),
  };
}
