import type { ReactNode } from 'react';
import { OptionalMark } from '../shared/Field.js';

/** One of several values. */
export interface Option<Value extends string = string> {
  readonly value: Value;
  readonly label: string;
}

/** What each field has. */
interface Labelled {
  readonly name: string;
  readonly label: string;
  /** It may stay empty, which its label says. Fields without a mark are required; choices name what no choice means. */
  readonly optional?: boolean | undefined;
  readonly help?: string | undefined;
  readonly fault?: string | undefined;
}

/** The error message of a field. */
export function Fault({ id, text }: { readonly id?: string; readonly text: string | undefined }) {
  return text ? (
    <p className="gt-fault" id={id}>
      {text}
    </p>
  ) : null;
}

/** ARIA attributes that refer to the field's error and help text. */
export function describing(name: string, fault?: string, help?: string | boolean) {
  const described = [fault && `${name}-error`, help && `${name}-help`].filter(Boolean).join(' ');
  return { ...(fault ? { 'aria-invalid': true } : {}), ...(described ? { 'aria-describedby': described } : {}) };
}

/** A labelled field of a page that AdminJS does not draw, with help text and error. */
export function FormField({ name, label, optional, help, fault, children }: Labelled & { readonly children: ReactNode }) {
  return (
    <div className={`gt-field${fault ? ' gt-field-bad' : ''}`}>
      <label htmlFor={name}>
        {label}
        {optional ? <OptionalMark /> : null}
      </label>
      {help ? (
        <p className="gt-help" id={`${name}-help`}>
          {help}
        </p>
      ) : null}
      {children}
      <Fault id={`${name}-error`} text={fault} />
    </div>
  );
}

/** Radio buttons side by side. */
export function Segments<Value extends string>({
  name,
  label,
  help,
  fault,
  options,
  value,
  onChange,
}: Omit<Labelled, 'optional'> & {
  readonly options: readonly Option<Value>[];
  readonly value: string;
  readonly onChange: (value: Value) => void;
}) {
  return (
    <fieldset className={`gt-field gt-segments${fault ? ' gt-field-bad' : ''}`}>
      <legend>{label}</legend>
      {help ? (
        <p className="gt-help" id={`${name}-help`}>
          {help}
        </p>
      ) : null}
      <div>
        {options.map((option) => (
          <label key={option.value}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={value === option.value}
              {...describing(name, fault, help)}
              onChange={() => onChange(option.value)}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
      <Fault id={`${name}-error`} text={fault} />
    </fieldset>
  );
}

/** Checkboxes; any number may be checked. */
export function Checks({
  name,
  label,
  help,
  fault,
  options,
  value,
  onChange,
}: Omit<Labelled, 'optional'> & {
  readonly options: readonly Option[];
  readonly value: readonly string[];
  readonly onChange: (value: string[]) => void;
}) {
  const change = (one: string, on: boolean): void => onChange(on ? [...value, one] : value.filter((other) => other !== one));
  return (
    <fieldset className={`gt-field gt-checks${fault ? ' gt-field-bad' : ''}`}>
      <legend>{label}</legend>
      {help ? (
        <p className="gt-help" id={`${name}-help`}>
          {help}
        </p>
      ) : null}
      <div>
        {options.map((option) => (
          <label key={option.value} className="gt-check">
            <input
              type="checkbox"
              name={name}
              value={option.value}
              checked={value.includes(option.value)}
              {...describing(name, fault, help)}
              onChange={({ target }) => change(option.value, target.checked)}
            />
            {option.label}
          </label>
        ))}
      </div>
      <Fault id={`${name}-error`} text={fault} />
    </fieldset>
  );
}

/** Moves the focus to the first invalid field after the form was refused. */
export function focusOnFault(): void {
  setTimeout(() => document.querySelector<HTMLElement>('form [aria-invalid="true"]:not(:disabled)')?.focus(), 0);
}
