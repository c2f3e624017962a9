import { useEffect, useState } from 'react';
import { useTranslation, type PropertyJSON } from 'adminjs';
import { controlProps, Field } from '../../shared/Field.js';
import { useInitial } from '../../shared/initial.js';
import { decimal } from '../../shared/numbers.js';
import { wordKey } from '../../shared/words.js';
import { useRootPath, type EditProps } from '../../page/props.js';

const OTHER = 'other';

/** The suggested values; those of the tenant are asked for. @returns null while they are */
function useSuggested({ custom, resourceId, path }: PropertyJSON): readonly string[] | null {
  const rootPath = useRootPath();
  const [suggested, setSuggested] = useState<readonly string[] | null>(custom['suggested'] ?? null);
  useEffect(() => {
    if (!custom['asks']) return;
    fetch(`${rootPath}/suggested/${resourceId}/${path}`)
      .then(async (answer) => {
        const { values = [] } = answer.ok ? ((await answer.json()) as { values?: string[] }) : {};
        setSuggested(values);
      })
      .catch(() => setSuggested([]));
  }, [resourceId, path]);
  return suggested;
}

/** A select field with common values, and a text field for any other value. */
export default function SuggestedEdit({ property, record, onChange }: EditProps) {
  useInitial(property, record, onChange);
  const { tl } = useTranslation();
  const asked = useSuggested(property);
  const value: string = record.params?.[property.path] ?? '';
  const suggested = asked ?? (value === '' ? [] : [value]);
  const error = record.errors?.[property.path];
  const [chosen, setChosen] = useState<string | null>(null);
  const isOther = chosen === OTHER || (value !== '' && !suggested.includes(value));
  const word = (key: string): string =>
    tl(`${property.path}.${wordKey(key)}`, property.resourceId, {
      defaultValue: /^\d+(\.\d+)?$/.test(key) ? `${decimal(key)}\u00a0%` : key,
    });
  const props = controlProps(property, error);
  const choose = ({ target }: { readonly target: { readonly value: string } }): void => {
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
