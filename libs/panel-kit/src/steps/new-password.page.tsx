import type { Language } from '#kernel';
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
  /** The name that was typed. */
  readonly typed?: string;
  /** Why it was not saved, by field. */
  readonly faults?: Readonly<Record<string, string>>;
}

/** The page behind a link to a password. The field of the address is for password managers. */
export function newPasswordPage(language: Language, { purpose, place, email, typed = '', faults = {} }: NewPassword): PlainPage {
  const { username, name, nameHow, password, hint } = words[language];
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
              hint={nameHow}
              fault={faults['name']}
              attributes={{ autocomplete: 'name', maxlength: 200, value: typed, autofocus: true }}
            />
          )}
          <PlainField
            name="password"
            label={password}
            hint={hint(minimumPasswordLength)}
            fault={faults['password']}
            attributes={{
              type: 'password',
              autocomplete: 'new-password',
              maxlength: maximumPasswordLength,
              autofocus: purpose === 'forgotten',
            }}
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
export const newPasswordBusy = (language: Language): string => words[language].busy;
