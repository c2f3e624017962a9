import React, { useEffect, useState } from 'react';
import { controlProps, Field } from '../../shared/Field.jsx';
import { fromField, toField } from '../../shared/times.js';

/** The browser's native date and time field, because it uses the phone's date picker, the user's order of day and month, and labels. */
export default function DefaultDatetimeEditProperty({ property, record, onChange }) {
  const error = record.errors?.[property.path];
  const stored = record.params?.[property.path];
  const day = property.type === 'date';
  const shown = day ? String(stored ?? '').slice(0, 10) : toField(stored);
  const [text, setText] = useState(shown);
  useEffect(() => setText(shown), [shown]);
  const change = ({ target }) => {
    setText(target.value);
    onChange(property.path, day ? target.value || null : fromField(target.value));
  };
  return (
    <Field property={property} error={error}>
      <input {...controlProps(property, error)} type={day ? 'date' : 'datetime-local'} value={text} onChange={change} />
    </Field>
  );
}
