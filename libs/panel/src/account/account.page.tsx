import { dayAndTimeWords, languageFacts, languages, type Language } from '#kernel';
import { PANEL_PATH, PlainError, PlainField, type PlainPage } from '#panel-kit';
import { maximumPasswordLength, minimumPasswordLength, type FactorState, type OwnAccount, type OwnSession } from '#tenancy';
import type { ComponentChildren, VNode } from 'preact';
import { ownAccountWords } from './account.words.js';
import { browserName, coarseNetwork } from './browser-names.js';

/** Path of the page. */
export const accountPath = `${PANEL_PATH}/account`;

/** What the page says above everything: that something was done, or why not. */
export interface AccountNotice {
  readonly done?: 'saved' | 'passwordSaved' | 'ended' | 'endedOthers' | 'factorOff' | undefined;
  readonly fault?: string;
}

/** The facts of the page. */
interface AccountView {
  readonly account: OwnAccount;
  readonly sessions: readonly OwnSession[];
  readonly factor: FactorState;
  readonly timeZone: string;
  readonly notice: AccountNotice;
}

interface PartProps {
  readonly view: AccountView;
  readonly language: Language;
}

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
        <Profile view={view} language={language} />
        <Password view={view} language={language} />
        <Factor view={view} language={language} />
        <Sessions view={view} language={language} />
        <p class="gt-after">
          <a href={PANEL_PATH}>{words.back}</a>
        </p>
      </div>
    ),
  };
}

function Part({ title, children }: { readonly title: string; readonly children: ComponentChildren }): VNode {
  return (
    <section>
      <h2>{title}</h2>
      {children}
    </section>
  );
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

/** Asks for the password in use. The hidden address tells password managers whose it is. */
function PresentPassword({ name, email, label }: { readonly name: string; readonly email: string; readonly label: string }): VNode {
  return (
    <>
      <input type="text" name="username" autocomplete="username" value={email} readonly tabindex={-1} hidden />
      <PlainField
        name={name}
        label={label}
        attributes={{ type: 'password', autocomplete: 'current-password', maxlength: maximumPasswordLength }}
      />
    </>
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

function Factor({ view: { factor, account }, language }: PartProps): VNode {
  const words = ownAccountWords[language];
  return (
    <Part title={words.factor}>
      <p>{words.factorHow}</p>
      {factor.isOn ? (
        <>
          <p>
            <strong>{words.factorIsOn}</strong> {words.codesLeft(factor.codesLeft)} {words.newCodes}
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
