import React from 'react';
import { controlProps, Field } from '../../shared/Field.jsx';
import { useInitial } from '../../shared/initial.js';

/** A checkbox. */
export default function DefaultBooleanEditProperty({ property, record, onChange }) {
  useInitial(property, record, onChange);
  const error = record.errors?.[property.path];
  const value = record.params?.[property.path];
  return (
    <Field property={property} error={error} inline>
      <input
        {...controlProps(property, error)}
        type="checkbox"
        checked={value === true || value === 'true'}
        onChange={({ target }) => onChange(property.path, target.checked)}
      />
    </Field>
  );
}
