import { dayAndTimeWords, type Language } from '#kernel';
import { maximumPasswordLength, minimumPasswordLength, type PanelUser } from '#tenancy';
import type { ComponentChildren, VNode } from 'preact';
import { addressField, PlainField } from '../actions/plain-field.js';
import { texts } from '../locales/panel-kit.texts.js';
import { PANEL_PATH } from '../request/panel-path.js';
import type { PlainPage } from '../sign-in/plain-page.js';

const words = texts.perLanguage('invitation', ({ words: own, t }) => ({
  ...own,
  lead: (name: string, place: string) => t('invitation.lead', { name, place }),
  leadOfOperator: (place: string) => t('invitation.leadOfOperator', { place }),
  other: (email: string, own: string) => t('invitation.other', { email, own }),
  asYou: (name: string) => t('invitation.asYou', { name }),
  hint: (least: number) => t('newPassword.hint', { least }),
  locked: (seconds: number) => t('steps.locked', { minutes: Math.ceil(seconds / 60) }),
}));

/** An invitation as its page shows it. */
export interface ShownInvitation {
  readonly email: string;
  /** The account with the address; null: there is none yet. */
  readonly userId: string | null;
  /** Name of who invites; null: the operator. */
  readonly inviter: string | null;
  /** Role and scope in words. */
  readonly role: string;
  readonly scope: string;
  readonly note: string | null;
  /** The right ends then. */
  readonly endsAt: string | null;
  readonly timeZone: string;
}

interface InvitationView {
  readonly invitation: ShownInvitation;
  readonly place: string;
  /** Who is signed in. */
  readonly user: PanelUser | null;
  /** The name that was typed. */
  readonly typed: string;
  /** What is wrong, by field. */
  readonly faults: Readonly<Record<string, string>>;
}

interface PartProps extends InvitationView {
  readonly language: Language;
}

/** The page behind the link: who invites to what, and how the person accepts. */
export function invitationPage(language: Language, view: InvitationView): PlainPage {
  const { title, lead, leadOfOperator } = words[language];
  const { invitation, place, user } = view;
  const Part = user ? (user.id === invitation.userId ? Signed : Other) : invitation.userId === null ? New : Known;
  return {
    title,
    body: (
      <>
        <p class="gt-lead">{invitation.inviter === null ? leadOfOperator(place) : lead(invitation.inviter, place)}</p>
        <Offer {...view} language={language} />
        <Part {...view} language={language} />
      </>
    ),
  };
}

function Offer({ invitation: { role, scope, endsAt, note, timeZone }, language }: PartProps): VNode {
  const { role: asWhat, scope: forWhat, until } = words[language];
  return (
    <>
      <dl class="gt-offer">
        <dt>{asWhat}</dt>
        <dd>{role}</dd>
        <dt>{forWhat}</dt>
        <dd>{scope}</dd>
        {endsAt !== null && (
          <>
            <dt>{until}</dt>
            <dd>{dayAndTimeWords(new Date(endsAt), language, timeZone)}</dd>
          </>
        )}
      </dl>
      {note !== null && (
        <p class="gt-note" dir="auto">
          {note}
        </p>
      )}
    </>
  );
}

/** The address stands in a field, so that password managers know whose password it is. */
function Form({ language, email, submit, children }: FormProps): VNode {
  return (
    <form method="post" novalidate>
      <PlainField name="username" label={words[language].email} attributes={{ ...addressField, value: email, readonly: true }} />
      {children}
      <button class="gt-button gt-button-wide" type="submit">
        {submit}
      </button>
    </form>
  );
}

interface FormProps {
  readonly language: Language;
  readonly email: string;
  readonly submit: string;
  readonly children: ComponentChildren;
}

/** Somebody without an account chooses name and password. */
function New({ invitation: { email }, typed, faults, language }: PartProps): VNode {
  const { howNew, name, password, hint, join } = words[language];
  return (
    <>
      <p>{howNew}</p>
      <Form language={language} email={email} submit={join}>
        <PlainField
          name="name"
          label={name}
          fault={faults['name']}
          attributes={{ autocomplete: 'name', maxlength: 200, value: typed, autofocus: true }}
        />
        <PlainField
          name="password"
          label={password}
          hint={hint(minimumPasswordLength)}
          fault={faults['password']}
          attributes={{ type: 'password', autocomplete: 'new-password', maxlength: maximumPasswordLength }}
        />
      </Form>
    </>
  );
}

/** Somebody with an account proves to be that person. */
function Known({ invitation: { email }, faults, language }: PartProps): VNode {
  const { howKnown, ownPassword, accept, forgotten, forgottenHow } = words[language];
  return (
    <>
      <p>{howKnown}</p>
      <Form language={language} email={email} submit={accept}>
        <PlainField
          name="password"
          label={ownPassword}
          fault={faults['password']}
          attributes={{ type: 'password', autocomplete: 'current-password', maxlength: 1000, autofocus: true }}
        />
      </Form>
      <p class="gt-after">
        <a href={`${PANEL_PATH}/forgotten`}>{forgotten}</a> {forgottenHow}
      </p>
    </>
  );
}

/** Somebody who is signed in with the invited address. */
function Signed({ user, language }: PartProps): VNode {
  const { asYou, acceptOnly } = words[language];
  return (
    <form method="post">
      <p>{asYou(user?.name ?? '')}</p>
      <button class="gt-button gt-button-wide" type="submit">
        {acceptOnly}
      </button>
    </form>
  );
}

/** Somebody else is signed in: an invitation that was passed on gives nobody else a right. */
function Other({ invitation: { email }, user, language }: PartProps): VNode {
  const { other, signOut } = words[language];
  return (
    <>
      <p class="gt-note" role="status">
        {other(email, user?.email ?? '')}
      </p>
      <form method="post" action={`${PANEL_PATH}/logout`}>
        <button class="gt-button gt-button-wide" type="submit">
          {signOut}
        </button>
      </form>
    </>
  );
}

/** The page of an invitation that nobody can accept: it is over, its inviter may no longer give it, or the person has a right. */
export function invitationOverPage(language: Language, why: 'over' | 'invalid' | 'here'): PlainPage {
  return endPage(language, words[language].ended[why]);
}

/** The page of an invitation to a place whose panel cannot be changed now. @param text why */
export function invitationClosedPage(language: Language, text: string): PlainPage {
  return endPage(language, { title: words[language].title, text });
}

const endPage = (language: Language, { title, text }: { title: string; text: string }): PlainPage => ({
  title,
  body: (
    <>
      <p>{text}</p>
      <p class="gt-after">
        <a href={`${PANEL_PATH}/login`}>{words[language].signIn}</a>
      </p>
    </>
  ),
});

/** Why a password was not accepted. */
export const invitationFaults = (language: Language): { password: (seconds: number) => string; busy: string } => ({
  password: (seconds) => (seconds > 0 ? words[language].locked(seconds) : words[language].wrong),
  busy: words[language].busy,
});
