import { Field } from '../../shared/Field.js';
import { ReferenceSearch } from './ReferenceSearch.js';
import type { EditProps } from '../../page/props.js';

/** A form field that selects another record by its name. */
export default function DefaultReferenceEditProperty({ property, record, onChange }: EditProps) {
  const error = record.errors?.[property.path];
  return (
    <Field property={property} error={error}>
      <ReferenceSearch property={property} where="edit" value={record.params?.[property.path]} error={error} onChange={onChange} />
    </Field>
  );
}
