import React from 'react';
import { useTranslation } from 'adminjs';
import { Copy } from '../shared/Copy.jsx';
import { Checks, describing, FormField, Segments } from './FormField.jsx';
import { toField } from '../shared/times.js';

/** The initial value of a field. */
export const initialValue = ({ kind, value }) => (kind === 'datetime' && value ? toField(value) : (value ?? (kind === 'checks' ? [] : '')));

/** One form field, as the server describes it (`FormField`). */
export function FormControl({ field, value, fault, onChange }) {
  const { tl } = useTranslation();
  const { name, kind, label, help, options = [], required } = field;
  const mark = required ? tl('required') : undefined;
  if (kind === 'hidden') return null;
  if (kind === 'choice') return <Segments {...{ name, label, mark, help, fault, options, value, onChange }} />;
  if (kind === 'checks') return <Checks {...{ name, label, help, fault, options, value, onChange }} />;
  if (kind === 'copy') {
    return (
      <div className="gt-field">
        <Copy label={label} text={field.value} />
      </div>
    );
  }
  const props = {
    id: name,
    value,
    ...describing(name, fault, help),
    onChange: ({ target }) => onChange(target.value),
  };
  if (kind === 'file') {
    // A file input has no value that could be set.
    return (
      <FormField {...{ name, label, mark, help, fault }}>
        <input
          id={name}
          name={name}
          type="file"
          accept={field.accept}
          {...describing(name, fault, help)}
          onChange={({ target }) => onChange(target.files[0] ?? '')}
        />
      </FormField>
    );
  }
  return (
    <FormField {...{ name, label, mark, help, fault }}>
      {kind === 'textarea' ? <textarea {...props} rows={4} maxLength={field.longest ?? 2000} /> : null}
      {kind === 'select' ? (
        <select {...props}>
          <option value="">{field.empty ?? tl('choose')}</option>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      ) : null}
      {kind === 'text' ? <input {...props} type="text" autoComplete="off" maxLength={field.longest ?? 200} /> : null}
      {kind === 'secret' ? <input {...props} type="password" autoComplete="new-password" maxLength={300} /> : null}
      {kind === 'datetime' ? <input {...props} type="datetime-local" /> : null}
      {kind === 'date' || kind === 'time' ? <input {...props} type={kind} /> : null}
      {kind === 'email' ? (
        <input {...props} type="email" autoComplete="off" autoCapitalize="none" spellCheck={false} maxLength={254} />
      ) : null}
    </FormField>
  );
}
