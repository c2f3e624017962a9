import React from 'react';
import { Field } from '../../shared/Field.jsx';
import { ReferenceSearch } from './ReferenceSearch.jsx';

/** A form field that selects another record by its name. */
export default function DefaultReferenceEditProperty({ property, record, onChange }) {
  const error = record.errors?.[property.path];
  return (
    <Field property={property} error={error}>
      <ReferenceSearch property={property} where="edit" value={record.params?.[property.path]} error={error} onChange={onChange} />
    </Field>
  );
}
