import React, { useState } from 'react';
import { useTranslation } from 'adminjs';
import { controlProps, Field } from '../../shared/Field.jsx';
import { useInitial } from '../../shared/initial.js';
import { wordKey } from '../../shared/words.js';

const OTHER = 'other';

/** A select field with common values, and a text field for any other value. */
export default function SuggestedEdit({ property, record, onChange }) {
  useInitial(property, record, onChange);
  const { tl } = useTranslation();
  const suggested = property.custom.suggested;
  const value = record.params?.[property.path] ?? '';
  const error = record.errors?.[property.path];
  const [chosen, setChosen] = useState(null);
  const isOther = chosen === OTHER || (value !== '' && !suggested.includes(value));
  const word = (key) => tl(`${property.path}.${wordKey(key)}`, property.resourceId, { defaultValue: key });
  const props = controlProps(property, error);
  const choose = ({ target }) => {
    setChosen(target.value);
    onChange(property.path, target.value === OTHER ? '' : target.value);
  };
  return (
    <Field property={property} error={error}>
      <select {...props} value={isOther ? OTHER : value} onChange={choose}>
        {suggested.map((each) => (
          <option key={each} value={each}>
            {word(each)}
          </option>
        ))}
        <option value={OTHER}>{word(OTHER)}</option>
      </select>
      {isOther ? (
        <input
          {...props}
          id={`${props.id}-other`}
          className="gt-other"
          type="text"
          inputMode="decimal"
          autoComplete="off"
          aria-label={word('otherLabel')}
          placeholder={word('otherLabel')}
          value={value}
          onChange={({ target }) => onChange(property.path, target.value)}
        />
      ) : null}
    </Field>
  );
}
