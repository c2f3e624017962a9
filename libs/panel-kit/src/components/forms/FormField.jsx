import React from 'react';

/** The error message of a field. */
export function Fault({ id, text }) {
  return text ? (
    <p className="gt-fault" id={id}>
      {text}
    </p>
  ) : null;
}

/** ARIA attributes that refer to the field's error and help text. */
export function describing(name, fault, help) {
  const described = [fault && `${name}-error`, help && `${name}-help`].filter(Boolean).join(' ');
  return { ...(fault ? { 'aria-invalid': true } : {}), ...(described ? { 'aria-describedby': described } : {}) };
}

/** A labelled field of a page that AdminJS does not draw, with mark, help text and error. */
export function FormField({ name, label, mark, help, fault, children }) {
  return (
    <div className={`gt-field${fault ? ' gt-field-bad' : ''}`}>
      <label htmlFor={name}>
        {label} {mark ? <span className="gt-required">({mark})</span> : null}
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
export function Segments({ name, label, mark, help, fault, options, value, onChange }) {
  return (
    <fieldset className={`gt-field gt-segments${fault ? ' gt-field-bad' : ''}`}>
      <legend>
        {label} {mark ? <span className="gt-required">({mark})</span> : null}
      </legend>
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
export function Checks({ name, label, help, fault, options, value, onChange }) {
  const change = (one, on) => onChange(on ? [...value, one] : value.filter((other) => other !== one));
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
export function focusOnFault() {
  setTimeout(() => document.querySelector('form [aria-invalid="true"]:not(:disabled)')?.focus(), 0);
}
