import React from 'react';
import { controlProps, Field } from '../../shared/Field.jsx';

/** A field for a new password; the server never sends the current one. */
export default function DefaultPasswordEditProperty({ property, record, onChange }) {
  const error = record.errors?.[property.path];
  return (
    <Field property={property} error={error}>
      <input
        {...controlProps(property, error)}
        type="password"
        autoComplete="new-password"
        value={record.params?.[property.path] ?? ''}
        onChange={({ target }) => onChange(property.path, target.value)}
      />
    </Field>
  );
}
