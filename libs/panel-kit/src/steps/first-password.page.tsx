import type { Language } from '#kernel';
import { minimumPasswordLength } from '#tenancy';
import { texts } from '../locales/panel-kit.texts.js';
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
  const { title, lead, username, password, hint, submit, faultTitle } = words[language];
  return {
    title,
    body: (
      <>
        <p class="gt-lead">{lead(place)}</p>
        {fault !== undefined && (
          <div class="gt-error" role="alert" tabindex={-1} id="error">
            <h2>{faultTitle}</h2>
            <p>{fault}</p>
          </div>
        )}
        <form method="post" action={action} novalidate>
          <div class="gt-field">
            <label for="username">{username}</label>
            <input id="username" name="username" type="email" autocomplete="username" value={email} readonly />
          </div>
          <div class="gt-field">
            <label for="password">{password}</label>
            <input
              id="password"
              name="password"
              type="password"
              autocomplete="new-password"
              required
              maxlength={1000}
              aria-describedby={fault === undefined ? 'password-hint' : 'error password-hint'}
              aria-invalid={fault !== undefined}
              autofocus
            />
            <p class="gt-help" id="password-hint">
              {hint(minimumPasswordLength)}
            </p>
          </div>
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
