import type { InputHTMLAttributes, VNode } from 'preact';
import { currentPanelRequest } from '../request/panel-request.js';
import { texts } from '../locales/panel-kit.texts.js';

/** What the control of a field gets, so that its label, help and fault belong to it. */
interface ControlAttributes {
  readonly id: string;
  readonly name: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: true;
}

const optionalWord = texts.localized('adminjs.labels.optional');

interface PlainFieldProps {
  readonly name: string;
  /** Of the control; default: the name. */
  readonly id?: string;
  readonly label: string;
  readonly hint?: string | undefined;
  /** It may stay empty, which its label says. */
  readonly optional?: boolean;
  /** What is wrong with the value. */
  readonly fault?: string | undefined;
  readonly attributes?: InputHTMLAttributes;
  /** Draws another control than a required input. */
  readonly control?: (attributes: ControlAttributes) => VNode;
}

/** A labelled field of a page without AdminJS. */
export function PlainField({ name, id = name, label, hint, optional, fault, attributes = {}, control }: PlainFieldProps): VNode {
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ');
  const common = { id, name, ...(described !== '' && { 'aria-describedby': described }), ...(fault && { 'aria-invalid': true as const }) };
  return (
    <div class={fault ? 'gt-field gt-field-bad' : 'gt-field'}>
      <label for={id}>
        {label}
        {optional && <span class="gt-optional"> ({optionalWord[currentPanelRequest().language]})</span>}
      </label>
      {hint && (
        <p class="gt-help" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {control ? control(common) : <input required {...attributes} {...common} />}
      {fault && (
        <p class="gt-fault" id={`${id}-fault`}>
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
