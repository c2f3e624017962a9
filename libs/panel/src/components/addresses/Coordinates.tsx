import { useTranslation } from 'adminjs';
import { useInitial } from '#panel-kit/components/shared/initial.js';
import type { EditProps } from '#panel-kit/components/page/props.js';

const fields = ['latitude', 'longitude'];

/**
 * Latitude and longitude, folded away: maps find most addresses by street and town. It is the field of both properties, and draws them
 * together.
 */
export default function Coordinates({ property, record, onChange }: EditProps) {
  const { tc, tm, tp } = useTranslation();
  useInitial(property, record, onChange);
  if (property.path !== 'latitude') return null;
  const hasFault = fields.some((name) => record.errors?.[name]);
  return (
    <details className="gt-field" open={hasFault || undefined}>
      <summary>{tc('Coordinates.more')}</summary>
      <p className="gt-help">{tc('Coordinates.help')}</p>
      {fields.map((name) => (
        <div className="gt-field" key={name}>
          <label htmlFor={`edit-${name}`}>{tp(name, property.resourceId)}</label>
          <input
            id={`edit-${name}`}
            type="text"
            inputMode="decimal"
            autoComplete="off"
            value={record.params?.[name] ?? ''}
            aria-invalid={record.errors?.[name] ? true : undefined}
            aria-describedby={record.errors?.[name] ? `edit-${name}-error` : undefined}
            onChange={({ target }) => onChange(name, target.value)}
          />
          {record.errors?.[name] ? (
            <p className="gt-fault" id={`edit-${name}-error`}>
              {tm(record.errors[name].message, property.resourceId)}
            </p>
          ) : null}
        </div>
      ))}
    </details>
  );
}
