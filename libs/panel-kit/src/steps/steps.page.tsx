import type { Language } from '#kernel';
import type { VNode } from 'preact';
import { PANEL_PATH } from '../request/panel-path.js';
import { addressField, PlainError, PlainField } from '../actions/plain-field.js';
import type { PlainPage } from '../sign-in/plain-page.js';
import { texts } from '../locales/panel-kit.texts.js';

const words = texts.perLanguage('steps', ({ words: own, t }) => ({
  ...own,
  lead: (place: string) => t('steps.lead', { place }),
  locked: (seconds: number) => t('steps.locked', { minutes: Math.ceil(seconds / 60) }),
}));

const LOGIN = `${PANEL_PATH}/login`;

function Back({ language }: { readonly language: Language }): VNode {
  return (
    <p class="gt-after">
      <a href={LOGIN}>{words[language].back}</a>
    </p>
  );
}

/** Asks for the address to which the link is mailed. @param view.email a typed text that is no address */
export function forgottenPage(language: Language, view: { place: string; email?: string }): PlainPage {
  const { forgotten, forgottenHow, lead, email, send, emailInvalid } = words[language];
  const fault = view.email === undefined ? undefined : emailInvalid;
  return {
    title: forgotten,
    body: (
      <>
        <p class="gt-lead">{lead(view.place)}</p>
        <p>{forgottenHow}</p>
        <form method="post" action={`${PANEL_PATH}/forgotten`}>
          <PlainField name="email" label={email} fault={fault} attributes={{ ...addressField, value: view.email ?? '' }} />
          <button class="gt-button gt-button-wide" type="submit">
            {send}
          </button>
        </form>
        <Back language={language} />
      </>
    ),
  };
}

/** The same for every address. */
export function linkSentPage(language: Language): PlainPage {
  const { sentTitle, sent, spam } = words[language];
  return {
    title: sentTitle,
    body: (
      <>
        <p>{sent}</p>
        <p>{spam}</p>
        <Back language={language} />
      </>
    ),
  };
}

/** The page of a server that sends no mails. */
export function noMailsPage(language: Language): PlainPage {
  const { forgotten, noMails } = words[language];
  return {
    title: forgotten,
    body: (
      <>
        <p>{noMails}</p>
        <Back language={language} />
      </>
    ),
  };
}

/** The page of a link that was used, or whose time has ended. */
export function linkOverPage(language: Language): PlainPage {
  const { overTitle, over, again } = words[language];
  return {
    title: overTitle,
    body: (
      <>
        <p>{over}</p>
        <p class="gt-after">
          <a href={`${PANEL_PATH}/forgotten`}>{again}</a>
        </p>
        <Back language={language} />
      </>
    ),
  };
}

interface CodeView {
  readonly place: string;
  readonly action: string;
  readonly fault?: { readonly wrong: true } | { readonly seconds: number } | undefined;
}

/** Asks for the code of the second factor. */
export function codePage(language: Language, { place, action, fault }: CodeView): PlainPage {
  const { code, codeHow, codeLabel, codeWrong, errorTitle, lead, locked, lost, submit } = words[language];
  return {
    title: code,
    body: (
      <>
        <p class="gt-lead">{lead(place)}</p>
        {fault && <PlainError title={errorTitle} text={'seconds' in fault ? locked(fault.seconds) : codeWrong} />}
        <p>{codeHow}</p>
        <form method="post" action={action}>
          <PlainField
            name="code"
            label={codeLabel}
            attributes={{
              autocomplete: 'one-time-code',
              autocapitalize: 'none',
              spellcheck: false,
              maxlength: 40,
              autofocus: true,
              ...(fault && { 'aria-invalid': true }),
            }}
          />
          <button class="gt-button gt-button-wide" type="submit">
            {submit}
          </button>
        </form>
        <p class="gt-after">{lost}</p>
        <Back language={language} />
      </>
    ),
  };
}
