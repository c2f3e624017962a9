import { currentLanguage } from '#kernel';
import type { ComponentChildren, VNode } from 'preact';
import { pageWords } from '../frame/pages.words.js';

/** A value and its label. */
export type Choice = readonly [value: string, label: string];

/** A field with its label, its help text and its fault. */
export interface Field {
  /** Name and id. */
  readonly name: string;
  readonly label: string;
  readonly hint?: string | undefined;
  /** Whether it may stay empty, which its label says. Fields without a mark are required; choices name what no choice means. */
  readonly optional?: boolean | undefined;
  readonly fault?: string | undefined;
}

/** Attributes of a control; undefined and false are left out, true has no value. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

interface ControlProps {
  readonly field: Field;
  /** Of the control, added to those that the field needs. */
  readonly attributes?: Attributes;
}

/** A control on one line. `wrap`: what is around or beside it. */
export function InputField({
  field,
  attributes = {},
  wrap = (control) => control,
}: ControlProps & { readonly wrap?: (control: VNode) => ComponentChildren }): VNode {
  // A script asks about addresses with a likely typing error.
  const doubt = attributes['type'] === 'email' ? { 'data-doubt': pageWords[currentLanguage()].doubtedAddress } : {};
  return <Labelled field={field}>{wrap(<input type="text" {...described(field)} {...attributes} {...doubt} />)}</Labelled>;
}

export function TextareaField({ field, attributes = {}, value }: ControlProps & { readonly value: string }): VNode {
  return (
    <Labelled field={field}>
      <textarea {...described(field)} {...attributes}>{`\n${value}`}</textarea>
    </Labelled>
  );
}

interface SelectProps extends ControlProps {
  readonly value: string;
  readonly choices: readonly Choice[];
  /** The label of the empty choice; without it a choice is required. */
  readonly empty?: string | undefined;
}

export function SelectField({ field, attributes = {}, value, choices, empty }: SelectProps): VNode {
  const options: readonly Choice[] = empty === undefined ? choices : [['', empty], ...choices];
  return (
    <Labelled field={field}>
      <select {...described(field)} {...attributes}>
        {options.map(([code, label]) => (
          <option value={code} selected={code === value}>
            {label}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

/** One checkbox. */
export function CheckboxField({ field, checked, attributes = {} }: ControlProps & { readonly checked: boolean }): VNode {
  const { name, label, fault } = field;
  return (
    <div class={fieldClass('field tick', fault)}>
      <Fault name={name} fault={fault} />
      <label for={name}>
        <input type="checkbox" id={name} name={name} value="yes" checked={checked} {...faulty(name, fault)} {...attributes} />{' '}
        <span>{label}</span>
      </label>
    </div>
  );
}

/** The fault of a field; nothing without one. */
export function Fault({ name, fault }: { readonly name: string; readonly fault: string | undefined }): VNode | null {
  return fault === undefined ? null : (
    <p class="fault" id={`${name}-fault`}>
      {fault}
    </p>
  );
}

/** Attributes of a control with a fault. */
export function faulty(name: string, fault: string | undefined): Attributes {
  return fault === undefined ? {} : { 'aria-invalid': 'true', 'aria-describedby': `${name}-fault` };
}

/** The class of a field, which is marked while it has a fault. */
export function fieldClass(name: string, fault: string | undefined): string {
  return fault === undefined ? name : `${name} wrong`;
}

function described({ name, hint, fault }: Field): Attributes {
  const ids = [...(fault === undefined ? [] : [`${name}-fault`]), ...(hint === undefined ? [] : [`${name}-hint`])];
  return {
    id: name,
    name,
    ...(fault !== undefined && { 'aria-invalid': 'true' }),
    ...(ids.length > 0 && { 'aria-describedby': ids.join(' ') }),
  };
}

/** After a label: the field may stay empty. */
export function OptionalMark(): VNode {
  return (
    <>
      {' '}
      <span class="optional">({pageWords[currentLanguage()].optional})</span>
    </>
  );
}

function Labelled({ field, children }: { readonly field: Field; readonly children: ComponentChildren }): VNode {
  const { name, label, hint, optional, fault } = field;
  return (
    <div class={fieldClass('field', fault)}>
      <label for={name}>
        {label}
        {optional && <OptionalMark />}
      </label>
      {hint !== undefined && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      <Fault name={name} fault={fault} />
      {children}
    </div>
  );
}

/** A list of faults, each with a link to its field. Nothing without faults. */
export function FaultSummary({ title, faults }: { readonly title: string; readonly faults: ReadonlyMap<string, string> }): VNode | null {
  if (faults.size === 0) return null;
  return (
    <div class="notice summary" role="alert" tabindex={-1} autofocus>
      <h2>{title}</h2>
      <ul>
        {[...faults].map(([name, fault]) => (
          <li>
            <a href={`#${name}`}>{fault}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** One sentence above a form that was not accepted, about no field of it. Nothing without a text. */
export function Notice({ text }: { readonly text: string | undefined }): VNode | null {
  return text === undefined ? null : (
    <div class="notice summary" role="alert" tabindex={-1} autofocus>
      <p>{text}</p>
    </div>
  );
}
