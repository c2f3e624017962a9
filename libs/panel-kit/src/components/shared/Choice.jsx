import React from 'react';
import { useTranslation } from 'adminjs';
import { controlProps, Field } from './Field.jsx';
import { wordKey } from './words.js';

/** A native select field; phones show their own picker. */
export function Choice({ property, where, value, error, empty, values, onChange }) {
  return (
    <Field property={property} error={error} where={where}>
      <select
        {...controlProps(property, error, where)}
        value={value ?? ''}
        onChange={({ target }) => onChange(property.path, target.value)}
      >
        <option value="">{empty}</option>
        {values.map(({ value: each, label }) => (
          <option key={each} value={each}>
            {label}
          </option>
        ))}
      </select>
    </Field>
  );
}

/**
 * The labelled values of an enumeration.
 * @param stored the record's value; it is included even when it is no longer offered
 */
export function useValues(property, stored) {
  const { tl } = useTranslation();
  const offered = (property.availableValues ?? []).map(({ value }) => value);
  return (stored && !offered.includes(stored) ? [stored, ...offered] : offered).map((value) => ({
    value,
    label: tl(`${property.path}.${wordKey(value)}`, property.resourceId, { defaultValue: String(value) }),
  }));
}
