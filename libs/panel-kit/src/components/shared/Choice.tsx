import { useTranslation, type ErrorMessage, type PropertyJSON } from 'adminjs';
import { controlProps, Field, type Place } from './Field.js';
import { valuesOf, wordKey } from './words.js';

/** A native select field; phones show their own picker. */
export function Choice({
  property,
  where,
  value,
  error,
  empty,
  values,
  onChange,
}: {
  readonly property: PropertyJSON;
  readonly where: Place;
  readonly value: string | undefined;
  readonly error?: ErrorMessage | undefined;
  /** What no choice means. */
  readonly empty: string;
  readonly values: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (name: string, value: string) => void;
}) {
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
export function useValues(property: PropertyJSON, stored?: string): { value: string; label: string }[] {
  const { tl } = useTranslation();
  const offered = valuesOf(property);
  return (stored && !offered.includes(stored) ? [stored, ...offered] : offered).map((value) => ({
    value,
    label: tl(`${property.path}.${wordKey(value)}`, property.resourceId, { defaultValue: value }),
  }));
}
