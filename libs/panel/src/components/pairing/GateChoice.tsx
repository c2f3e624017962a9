import { useEffect } from 'react';
import { useTranslation } from 'adminjs';
import { controlProps, Field } from '#panel-kit/components/shared/Field.js';
import { useGates } from './useGates.js';
import type { EditProps } from '#panel-kit/components/page/props.js';

/** A select field for one of the gates that the chosen event has. */
export default function GateChoice({ property, record, onChange }: EditProps) {
  const { tl } = useTranslation();
  const gates = useGates(record.params['eventId']);
  const value: string = record.params[property.path] ?? '';
  const error = record.errors?.[property.path];
  const isGone = gates !== null && value !== '' && !gates.some(({ id }) => id === value);
  useEffect(() => {
    if (isGone) onChange(property.path, '');
  }, [isGone]);
  return (
    <Field property={property} error={error}>
      <select {...controlProps(property, error)} value={value} onChange={({ target }) => onChange(property.path, target.value)}>
        <option value="">{tl('none')}</option>
        {(gates ?? []).map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </Field>
  );
}
