import type { Language } from '#kernel';
import type { VNode } from 'preact';
import { PANEL_PATH } from '../request/panel-path.js';
import { addressField, PlainField } from '../actions/plain-field.js';
import type { PlainPage } from '../sign-in/plain-page.js';
import { texts } from '../locales/panel-kit.texts.js';

/** Texts of the steps of a sign-in. */
export const stepWords = texts.perLanguage('steps', ({ words: own, t }) => ({
  ...own,
  lead: (place: string) => t('steps.lead', { place }),
  locked: (seconds: number) => t('steps.locked', { minutes: Math.ceil(seconds / 60) }),
}));

const LOGIN = `${PANEL_PATH}/login`;

/** Leads back to the sign-in. */
export function Back({ language }: { readonly language: Language }): VNode {
  return (
    <p class="gt-after">
      <a href={LOGIN}>{stepWords[language].back}</a>
    </p>
  );
}

/** Asks for the address to which the link is mailed. @param view.email a typed text that is no address */
export function forgottenPage(language: Language, view: { place: string; email?: string }): PlainPage {
  const { forgotten, forgottenHow, lead, email, send, emailInvalid } = stepWords[language];
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
  const { sentTitle, sent, spam } = stepWords[language];
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

/** The page of a demo on one's own computer, which sends no mails. @param link undefined: nobody has that address, or it had enough */
export function linkShownPage(language: Language, link: string | undefined): PlainPage {
  const { forgotten, demoMail, openMail, demoNobody } = stepWords[language];
  return {
    title: forgotten,
    body: (
      <>
        <p>{link === undefined ? demoNobody : demoMail}</p>
        {link !== undefined && (
          <p>
            <a class="gt-button gt-button-wide" href={link}>
              {openMail}
            </a>
          </p>
        )}
        <Back language={language} />
      </>
    ),
  };
}

/** The page of a server that sends no mails. */
export function noMailsPage(language: Language): PlainPage {
  const { forgotten, noMails } = stepWords[language];
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
  const { overTitle, over, again } = stepWords[language];
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
