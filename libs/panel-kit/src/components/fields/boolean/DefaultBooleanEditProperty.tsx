import { controlProps, Field } from '../../shared/Field.js';
import { useInitial } from '../../shared/initial.js';
import type { EditProps } from '../../page/props.js';

/** A checkbox. */
export default function DefaultBooleanEditProperty({ property, record, onChange }: EditProps) {
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
