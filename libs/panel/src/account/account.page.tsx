import { dayAndTimeWords, languageFacts, languages, type Language } from '#kernel';
import { PANEL_PATH, PlainError, PlainField, type PlainPage } from '#panel-kit';
import { maximumPasswordLength, minimumPasswordLength, type OwnSession } from '#tenancy';
import type { VNode } from 'preact';
import { ownAccountWords } from './account.words.js';
import { accountPath, Part, PresentPassword, type AccountView, type PartProps } from './account.parts.js';
import { FactorReset, Factor, Passkeys, RecoveryCodes } from './factor.parts.js';
import { browserName, coarseNetwork } from './browser-names.js';

/** *My account*: name, language, password, second factor and sessions of the person who is signed in. */
export function accountPage(view: AccountView, language: Language): PlainPage {
  const words = ownAccountWords[language];
  const { done, fault } = view.notice;
  return {
    title: words.title,
    body: (
      <div class="gt-account">
        <p class="gt-lead">{words.lead}</p>
        {done && (
          <p class="gt-note" role="status">
            {words[done]}
          </p>
        )}
        {fault !== undefined && <PlainError title={words.errorTitle} text={fault} />}
        <FactorReset view={view} language={language} />
        <Profile view={view} language={language} />
        <Password view={view} language={language} />
        <Passkeys view={view} language={language} />
        <Factor view={view} language={language} />
        <RecoveryCodes view={view} language={language} />
        <Sessions view={view} language={language} />
        <p class="gt-after">
          <a href={PANEL_PATH}>{words.back}</a>
        </p>
      </div>
    ),
  };
}

function Profile({ view: { account }, language }: PartProps): VNode {
  const words = ownAccountWords[language];
  return (
    <Part title={words.profile}>
      <form method="post" action={accountPath}>
        <PlainField name="name" label={words.name} attributes={{ autocomplete: 'name', maxlength: 200, value: account.name }} />
        <PlainField
          name="email"
          label={words.email}
          hint={words.emailHow}
          attributes={{ type: 'email', readonly: true, value: account.email, autocomplete: 'off' }}
        />
        <div class="gt-field">
          <label for="language">{words.language}</label>
          <select id="language" name="language">
            <option value="" selected={account.language === null}>
              {words.ofBrowser}
            </option>
            {languages.map((code) => (
              <option value={code} lang={code} selected={account.language === code}>
                {languageFacts[code].name}
              </option>
            ))}
          </select>
        </div>
        <button class="gt-button" type="submit">
          {words.save}
        </button>
      </form>
    </Part>
  );
}

function Password({ view: { account }, language }: PartProps): VNode {
  const words = ownAccountWords[language];
  return (
    <Part title={words.password}>
      <p>{words.passwordHow}</p>
      <form method="post" action={`${accountPath}/password`}>
        <PresentPassword name="present" email={account.email} label={words.present} />
        <PlainField
          name="next"
          label={words.next}
          hint={words.passwordHint(minimumPasswordLength)}
          attributes={{ type: 'password', autocomplete: 'new-password', maxlength: maximumPasswordLength }}
        />
        <button class="gt-button" type="submit">
          {words.change}
        </button>
      </form>
    </Part>
  );
}

function Sessions({ view, language }: PartProps): VNode {
  const words = ownAccountWords[language];
  const hasOthers = view.sessions.some(({ isThis }) => !isThis);
  return (
    <Part title={words.sessions}>
      <ul class="gt-sessions">
        {view.sessions.map((session) => (
          <Session session={session} view={view} language={language} />
        ))}
      </ul>
      {hasOthers && (
        <form method="post" action={`${accountPath}/sessions`}>
          <button class="gt-button gt-button-danger-quiet" type="submit" name="end" value="others">
            {words.endOthers}
          </button>
        </form>
      )}
    </Part>
  );
}

function Session({ session, view: { timeZone }, language }: PartProps & { readonly session: OwnSession }): VNode {
  const words = ownAccountWords[language];
  const browser = browserName(session.userAgent, words.unknownBrowser);
  const network = coarseNetwork(session.address);
  const at = (instant: Date): string => dayAndTimeWords(instant, language, timeZone);
  return (
    <li>
      <div>
        <p>
          <strong>{browser}</strong> · {session.place} {session.isThis && <span class="gt-badge gt-badge-good">{words.thisOne}</span>}
          {session.isSupport && <span class="gt-badge gt-badge-waiting">{words.support}</span>}
        </p>
        <p class="gt-help">
          {words.since(at(session.createdAt))}
          <br />
          {words.seen(at(session.seenAt))}
          {network !== undefined && (
            <>
              <br />
              {words.network(network)}
            </>
          )}
        </p>
      </div>
      {!session.isThis && (
        <form method="post" action={`${accountPath}/sessions`}>
          <button
            class="gt-button gt-button-quiet gt-button-small"
            type="submit"
            name="end"
            value={session.id}
            aria-label={words.endNamed(browser)}
          >
            {words.end}
          </button>
        </form>
      )}
    </li>
  );
}
