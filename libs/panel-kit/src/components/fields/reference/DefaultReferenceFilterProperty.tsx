import { Field } from '../../shared/Field.js';
import { ReferenceSearch } from './ReferenceSearch.js';
import type { FilterProps } from '../../page/props.js';

/** A filter that selects another record by its name. */
export default function DefaultReferenceFilterProperty({ property, filter, onChange }: FilterProps) {
  return (
    <Field property={property} where="filter">
      <ReferenceSearch property={property} where="filter" value={filter[property.path]} onChange={onChange} />
    </Field>
  );
}
