import { useEffect, useState } from 'react';
import { controlProps, Field } from '../../shared/Field.js';
import { fromField, toField } from '../../shared/times.js';
import type { EditProps } from '../../page/props.js';

/** The browser's native date and time field, because it uses the phone's date picker, the user's order of day and month, and labels. */
export default function DefaultDatetimeEditProperty({ property, record, onChange }: EditProps) {
  const error = record.errors?.[property.path];
  const stored = record.params?.[property.path];
  const day = property.type === 'date';
  const shown = day ? String(stored ?? '').slice(0, 10) : toField(stored);
  const [text, setText] = useState(shown);
  useEffect(() => setText(shown), [shown]);
  const change = ({ target }: { readonly target: { readonly value: string } }): void => {
    setText(target.value);
    onChange(property.path, day ? target.value || null : fromField(target.value));
  };
  return (
    <Field property={property} error={error}>
      <input {...controlProps(property, error)} type={day ? 'date' : 'datetime-local'} value={text} onChange={change} />
    </Field>
  );
}
