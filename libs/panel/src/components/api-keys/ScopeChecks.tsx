import { flat, useTranslation, type PropertyJSON } from 'adminjs';
import { fieldIds } from '#panel-kit/components/shared/Field.js';
import type { EditProps } from '#panel-kit/components/page/props.js';
import { valuesOf } from '#panel-kit/components/shared/words.js';

const RIGHTS = ['read', 'write'];

function Check({
  property,
  value,
  chosen,
  invalid,
  change,
  label,
}: {
  readonly property: PropertyJSON;
  readonly value: string;
  readonly chosen: readonly string[];
  readonly invalid: boolean;
  readonly change: (value: string, on: boolean) => void;
  readonly label: string;
}) {
  return (
    <label className="gt-scope">
      <input
        type="checkbox"
        name={property.path}
        value={value}
        checked={chosen.includes(value)}
        {...(invalid ? { 'aria-invalid': true } : {})}
        onChange={({ target }) => change(value, target.checked)}
      />
      <span className="gt-unseen">{label}</span>
    </label>
  );
}

/** The scopes of a key: one row per noun, with checkboxes for reading and writing. */
export default function ScopeChecks({ property, record, onChange }: EditProps) {
  const { tl, tp, tm } = useTranslation();
  const { errorId } = fieldIds(property);
  const error = record.errors?.[property.path];
  const chosen: readonly string[] = flat.get(record.params, property.path) ?? [];
  const values = valuesOf(property);
  const offered = new Set(values);
  const nouns = [...new Set(values.map((value) => value.replace(/:.*/, '')))];
  const word = (value: string): string => tl(`${property.path}.${value}`, property.resourceId);
  const change = (value: string, on: boolean): void =>
    onChange(property.path, on ? [...chosen, value] : chosen.filter((other) => other !== value));
  return (
    <fieldset className={`gt-field gt-scopes${error ? ' gt-field-bad' : ''}`} aria-describedby={error ? errorId : undefined}>
      <legend>{tp(property.label, property.resourceId)}</legend>
      <table>
        <thead>
          <tr>
            <td />
            {RIGHTS.map((right) => (
              <th key={right} scope="col">
                {word(right)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {nouns.map((noun) => (
            <tr key={noun}>
              <th scope="row">{word(noun)}</th>
              {RIGHTS.map((right) => (
                <td key={right}>
                  {offered.has(`${noun}:${right}`) ? (
                    <Check
                      property={property}
                      value={`${noun}:${right}`}
                      chosen={chosen}
                      invalid={Boolean(error)}
                      change={change}
                      label={word(`${noun}_${right}`)}
                    />
                  ) : null}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {error ? (
        <p className="gt-fault" id={errorId}>
          {tm(error.message, property.resourceId)}
        </p>
      ) : null}
    </fieldset>
  );
}
