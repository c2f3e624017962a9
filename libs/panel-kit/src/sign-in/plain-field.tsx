import type { InputHTMLAttributes, VNode } from 'preact';

interface PlainFieldProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  /** What is wrong with the value. */
  readonly fault?: string | undefined;
  readonly attributes?: InputHTMLAttributes;
}

/** A labelled field of a page without AdminJS. */
export function PlainField({ name, label, hint, fault, attributes = {} }: PlainFieldProps): VNode {
  const described = [hint && `${name}-hint`, fault && `${name}-fault`].filter(Boolean).join(' ');
  return (
    <div class="gt-field">
      <label for={name}>{label}</label>
      {hint && (
        <p class="gt-help" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      <input
        id={name}
        name={name}
        required
        {...attributes}
        {...(described !== '' && { 'aria-describedby': described })}
        {...(fault && { 'aria-invalid': true })}
      />
      {fault && (
        <p class="gt-fault" id={`${name}-fault`}>
          {fault}
        </p>
      )}
    </div>
  );
}

/** The field for an e-mail address with which somebody signs in. */
export const addressField = {
  type: 'email',
  autocomplete: 'username',
  inputmode: 'email',
  autocapitalize: 'none',
  spellcheck: false,
  maxlength: 254,
} as const satisfies InputHTMLAttributes;

/** What went wrong, above a form. */
export function PlainError({ title, text }: { readonly title: string; readonly text: string }): VNode {
  return (
    <div class="gt-error" role="alert" tabindex={-1} id="error">
      <h2>{title}</h2>
      <p>{text}</p>
    </div>
  );
}
