import { useTranslation } from 'adminjs';
import { fieldIds } from '../../shared/Field.js';
import { fromField, toField } from '../../shared/times.js';
import type { FilterProps } from '../../page/props.js';

const bounds: readonly (readonly [name: string, time: string])[] = [
  ['from', 'T00:00'],
  ['to', 'T23:59:59.999'],
];

/** A filter by a range of days, both included, in the venue's time zone. */
export default function DefaultDatetimeFilterProperty({ property, filter, onChange }: FilterProps) {
  const { tp } = useTranslation();
  const { id } = fieldIds(property, 'filter');
  const day = property.type === 'date';
  return (
    <fieldset className="gt-field gt-field-pair">
      <legend>{tp(property.label, property.resourceId)}</legend>
      {bounds.map(([name, time]) => {
        const key = `${property.path}~~${name}`;
        const value = day ? (filter[key] ?? '') : toField(filter[key]).slice(0, 10);
        return (
          <span key={name}>
            <label htmlFor={`${id}-${name}`}>{tp(name)}</label>
            <input
              id={`${id}-${name}`}
              type="date"
              value={value}
              onChange={({ target }) => onChange(key, day || !target.value ? target.value : fromField(target.value + time))}
            />
          </span>
        );
      })}
    </fieldset>
  );
}
