import type { Language } from '#kernel';
import { maximumPasswordLength, minimumPasswordLength } from '#tenancy';
import { texts } from '../locales/panel-kit.texts.js';
import { addressField, PlainField } from '../sign-in/plain-field.js';
import type { PlainPage } from '../sign-in/plain-page.js';

const words = texts.perLanguage('firstPassword', ({ words, t }) => ({
  ...words,
  lead: (place: string) => t('firstPassword.lead', { place }),
  hint: (least: number) => t('firstPassword.hint', { least }),
}));

interface FirstPassword {
  readonly place: string;
  readonly email: string;
  readonly action: string;
  /** Why the password was not saved. */
  readonly fault?: string | undefined;
}

/** The page on which the administrator of a new tenant chooses a password. The field of the address is for password managers. */
export function firstPasswordPage(language: Language, { place, email, action, fault }: FirstPassword): PlainPage {
  const { title, lead, username, password, hint, submit } = words[language];
  return {
    title,
    body: (
      <>
        <p class="gt-lead">{lead(place)}</p>
        <form method="post" action={action} novalidate>
          <PlainField name="username" label={username} attributes={{ ...addressField, value: email, readonly: true }} />
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

/** The reason why a password was refused because too many wait. */
export const firstPasswordBusy = (language: Language): string => words[language].busy;
