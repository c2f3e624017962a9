import { dayAndTimeWords } from '#kernel';
import { PlainField } from '#panel-kit';
import type { OwnPasskey } from '#tenancy';
import type { VNode } from 'preact';
import { accountPath, Part, PresentPassword, type PartProps } from './account.parts.js';
import { ownAccountWords } from './account.words.js';

/** Somebody says that the person lost the second factor: one button ends that. */
export function FactorReset({ view: { resetAskedAt, timeZone }, language }: PartProps): VNode | null {
  const words = ownAccountWords[language];
  if (!resetAskedAt) return null;
  return (
    <Part title={words.resetTitle}>
      <p>{words.resetAsked(dayAndTimeWords(resetAskedAt, language, timeZone))}</p>
      <form method="post" action={`${accountPath}/factor/kept`}>
        <button class="gt-button" type="submit">
          {words.keepFactor}
        </button>
      </form>
    </Part>
  );
}

/** The passkeys of the person, on all hosts. */
export function Passkeys({ view, language }: PartProps): VNode {
  const words = ownAccountWords[language];
  const { passkeys, host } = view;
  return (
    <Part title={words.passkeys}>
      <p>{words.passkeysHow}</p>
      {passkeys.length > 0 && (
        <ul class="gt-sessions">
          {passkeys.map((passkey) => (
            <Passkey passkey={passkey} view={view} language={language} />
          ))}
        </ul>
      )}
      {host === undefined ? (
        <p>{words.noPasskeysHere}</p>
      ) : (
        <p>
          <a class="gt-button" href={`${accountPath}/passkeys/new`}>
            {words.addPasskey}
          </a>
        </p>
      )}
    </Part>
  );
}

function Passkey({ passkey, view, language }: PartProps & { readonly passkey: OwnPasskey }): VNode {
  const words = ownAccountWords[language];
  const { id, name, host, createdAt, usedAt } = passkey;
  const at = (instant: Date): string => dayAndTimeWords(instant, language, view.timeZone);
  return (
    <li>
      <div>
        <p>
          <strong>{name}</strong> · {host} {host !== view.host && <span class="gt-badge gt-badge-waiting">{words.elsewhere}</span>}
        </p>
        <p class="gt-help">
          {words.added(at(createdAt))}
          <br />
          {usedAt ? words.seen(at(usedAt)) : words.neverUsed}
        </p>
      </div>
      <a class="gt-button gt-button-quiet gt-button-small" href={`${accountPath}/passkeys/${id}`} aria-label={words.changeNamed(name)}>
        {words.changePasskey}
      </a>
    </li>
  );
}

/** Codes of an app. */
export function Factor({ view: { factor, account }, language }: PartProps): VNode {
  const words = ownAccountWords[language];
  return (
    <Part title={words.factor}>
      <p>{words.factorHow}</p>
      {factor.isOn ? (
        <>
          <p>
            <strong>{words.factorIsOn}</strong>
          </p>
          <form method="post" action={`${accountPath}/factor/off`}>
            <PresentPassword name="password" email={account.email} label={words.present} />
            <PlainField
              name="code"
              label={words.code}
              attributes={{ autocomplete: 'one-time-code', autocapitalize: 'none', maxlength: 40 }}
            />
            <button class="gt-button gt-button-danger-quiet" type="submit">
              {words.switchOff}
            </button>
          </form>
        </>
      ) : (
        <>
          <p>{words.factorIsOff}</p>
          <p>
            <a class="gt-button" href={`${accountPath}/factor`}>
              {words.setUp}
            </a>
          </p>
        </>
      )}
    </Part>
  );
}

/** What lets somebody in who lost the second factor. */
export function RecoveryCodes({ view: { factor, passkeys }, language }: PartProps): VNode | null {
  const words = ownAccountWords[language];
  if (!factor.isOn && passkeys.length === 0) return null;
  return (
    <Part title={words.recovery}>
      <p>{words.codesLeft(factor.codesLeft)}</p>
      <form method="post" action={`${accountPath}/codes`}>
        <button class="gt-button gt-button-quiet" type="submit">
          {words.makeCodes}
        </button>
        <p class="gt-help">{words.newCodes}</p>
      </form>
    </Part>
  );
}
