import React from 'react';
import { Field } from '../../shared/Field.jsx';
import { ReferenceSearch } from './ReferenceSearch.jsx';

/** A filter that selects another record by its name. */
export default function DefaultReferenceFilterProperty({ property, filter, onChange }) {
  return (
    <Field property={property} where="filter">
      <ReferenceSearch property={property} where="filter" value={filter[property.path]} onChange={onChange} />
    </Field>
  );
}
