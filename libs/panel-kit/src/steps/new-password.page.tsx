import type { Language } from '#kernel';
import type { VNode } from 'preact';
import { maximumPasswordLength, minimumPasswordLength, type OpenedPasswordLink } from '#tenancy';
import { texts } from '../locales/panel-kit.texts.js';
import { addressField, PlainField } from '../actions/plain-field.js';
import type { PlainPage } from '../sign-in/plain-page.js';

const words = texts.perLanguage('newPassword', ({ words, t }) => ({
  ...words,
  first: { ...words.first, lead: (place: string) => t('newPassword.first.lead', { place }) },
  forgotten: { ...words.forgotten, lead: () => words.forgotten.lead },
  hint: (least: number) => t('newPassword.hint', { least }),
}));

interface NewPassword {
  readonly purpose: OpenedPasswordLink['purpose'];
  readonly place: string;
  readonly email: string;
  /** The name as it was typed; asked with the first password only. */
  readonly typed?: string;
  /** Why the password was not saved. */
  readonly fault?: string | undefined;
}

/** The page behind a link to a password. The field of the address is for password managers. */
export function newPasswordPage(language: Language, { purpose, place, email, typed = '', fault }: NewPassword): PlainPage {
  const { username, name, nameHint, password, hint } = words[language];
  const { title, lead, submit } = words[language][purpose];
  return {
    title,
    body: (
      <>
        <p class="gt-lead">{lead(place)}</p>
        <form method="post" novalidate>
          <PlainField name="username" label={username} attributes={{ ...addressField, value: email, readonly: true }} />
          {purpose === 'first' && (
            <PlainField
              name="name"
              label={name}
              hint={nameHint}
              optional
              control={(common) => <NameInput common={common} value={typed} />}
            />
          )}
          <PlainField
            name="password"
            label={password}
            hint={hint(minimumPasswordLength)}
            fault={fault}
            attributes={{ type: 'password', autocomplete: 'new-password', maxlength: maximumPasswordLength, autofocus: true }}
          />
          <button class="gt-button gt-button-wide" type="submit">
            {submit}
          </button>
        </form>
      </>
    ),
  };
}

/** How colleagues see the person; the beginning of the address, until one is typed. */
function NameInput({ common, value }: { readonly common: object; readonly value: string }): VNode {
  return <input {...common} type="text" autocomplete="name" maxlength={200} value={value} />;
}

/** The reason why a password was refused because too many wait. */
export const newPasswordBusy = (language: Language): string => words[language].busy;
