import React from 'react';
import { flat, useTranslation } from 'adminjs';
import { fieldIds } from '#panel-kit/components/shared/Field.jsx';

const RIGHTS = ['read', 'write'];

function Check({ property, value, chosen, invalid, change, label }) {
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
export default function ScopeChecks({ property, record, onChange }) {
  const { tl, tp, tm } = useTranslation();
  const { errorId } = fieldIds(property);
  const error = record.errors?.[property.path];
  const chosen = flat.get(record.params, property.path) ?? [];
  const offered = new Set(property.availableValues.map(({ value }) => value));
  const nouns = [...new Set(property.availableValues.map(({ value }) => value.split(':')[0]))];
  const word = (value) => tl(`${property.path}.${value}`, property.resourceId);
  const change = (value, on) => onChange(property.path, on ? [...chosen, value] : chosen.filter((other) => other !== value));
  return (
    <fieldset className={`gt-field gt-scopes${error ? ' gt-field-bad' : ''}`} aria-describedby={error ? errorId : undefined}>
      <legend>
        {tp(property.label, property.resourceId)} <span className="gt-required">({tl('required')})</span>
      </legend>
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
                      invalid={error}
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
