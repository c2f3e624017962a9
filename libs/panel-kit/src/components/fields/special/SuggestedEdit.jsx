import React, { useEffect, useState } from 'react';
import { useTranslation } from 'adminjs';
import { useSelector } from 'react-redux';
import { controlProps, Field } from '../../shared/Field.jsx';
import { useInitial } from '../../shared/initial.js';
import { decimal } from '../../shared/numbers.js';
import { wordKey } from '../../shared/words.js';

const OTHER = 'other';

/** The suggested values; those of the tenant are asked for. @returns null while they are */
function useSuggested({ custom, resourceId, path }) {
  const rootPath = useSelector((state) => state.paths.rootPath);
  const [suggested, setSuggested] = useState(custom.suggested ?? null);
  useEffect(() => {
    if (!custom.asks) return;
    fetch(`${rootPath}/suggested/${resourceId}/${path}`)
      .then((answer) => (answer.ok ? answer.json() : null))
      .then((answer) => setSuggested(answer?.values ?? []))
      .catch(() => setSuggested([]));
  }, [resourceId, path]);
  return suggested;
}

/** A select field with common values, and a text field for any other value. */
export default function SuggestedEdit({ property, record, onChange }) {
  useInitial(property, record, onChange);
  const { tl } = useTranslation();
  const asked = useSuggested(property);
  const value = record.params?.[property.path] ?? '';
  const suggested = asked ?? (value === '' ? [] : [value]);
  const error = record.errors?.[property.path];
  const [chosen, setChosen] = useState(null);
  const isOther = chosen === OTHER || (value !== '' && !suggested.includes(value));
  const word = (key) =>
    tl(`${property.path}.${wordKey(key)}`, property.resourceId, {
      defaultValue: /^\d+(\.\d+)?$/.test(key) ? `${decimal(key)}\u00a0%` : key,
    });
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
