import { flat, useTranslation } from 'adminjs';
import { fieldIds, useFocusOnFirstFault } from '../../shared/Field.js';
import { valuesOf, wordKey } from '../../shared/words.js';
import type { EditProps } from '../../page/props.js';

/** The value that includes all others; while it is checked, the others are disabled. */
const ALL = '*';

/** Checkboxes for a list of values of an enumeration. */
export default function WordChecks({ property, record, onChange }: EditProps) {
  const { tl, tp, tm } = useTranslation();
  const { id, errorId } = fieldIds(property);
  const error = record.errors?.[property.path];
  useFocusOnFirstFault(id, error);
  const chosen: readonly string[] = flat.get(record.params, property.path) ?? [];
  const all = chosen.includes(ALL);
  const change = (value: string, on: boolean): void =>
    onChange(property.path, on ? [...chosen, value] : chosen.filter((other) => other !== value));
  return (
    <fieldset className={`gt-field gt-checks${error ? ' gt-field-bad' : ''}`} aria-describedby={error ? errorId : undefined}>
      <legend>{tp(property.label, property.resourceId)}</legend>
      <div>
        {valuesOf(property).map((value, index) => (
          <label key={value} className={value === ALL ? 'gt-check gt-check-all' : 'gt-check'}>
            <input
              id={index === 0 ? id : undefined}
              type="checkbox"
              name={property.path}
              value={value}
              checked={all || chosen.includes(value)}
              disabled={all && value !== ALL}
              {...(error ? { 'aria-invalid': true } : {})}
              onChange={({ target }) => change(value, target.checked)}
            />
            {tl(`${property.path}.${wordKey(value)}`, property.resourceId)}
          </label>
        ))}
      </div>
      {error ? (
        <p className="gt-fault" id={errorId}>
          {tm(error.message, property.resourceId)}
        </p>
      ) : null}
    </fieldset>
  );
}
