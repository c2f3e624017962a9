import { controlProps, Field } from '../../shared/Field.js';
import type { EditProps } from '../../page/props.js';

/** A field for a new password; the server never sends the current one. */
export default function DefaultPasswordEditProperty({ property, record, onChange }: EditProps) {
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
