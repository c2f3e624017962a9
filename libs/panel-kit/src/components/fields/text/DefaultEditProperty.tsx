import { useEffect, useState, type InputHTMLAttributes } from 'react';
import { useTranslation } from 'adminjs';
import { Choice, useValues } from '../../shared/Choice.js';
import { controlProps, Field } from '../../shared/Field.js';
import { useInitial } from '../../shared/initial.js';
import type { EditProps } from '../../page/props.js';

/** Input attributes per type of value; they select the on-screen keyboard. */
const KEYBOARDS: Partial<Record<string, InputHTMLAttributes<HTMLInputElement>>> = {
  number: { inputMode: 'numeric' },
  float: { inputMode: 'decimal' },
  decimal: { inputMode: 'decimal' },
  email: { type: 'email', autoCapitalize: 'none', spellCheck: false },
  url: { type: 'url', autoCapitalize: 'none', spellCheck: false },
  uuid: { autoCapitalize: 'none', spellCheck: false },
};

function TextEdit({ property, record, onChange }: EditProps) {
  const error = record.errors?.[property.path];
  const stored = record.params?.[property.path] ?? '';
  const [text, setText] = useState(String(stored));
  useEffect(() => setText(String(stored)), [stored]);
  return (
    <Field property={property} error={error}>
      <input
        type="text"
        autoComplete="off"
        {...KEYBOARDS[property.custom?.['input'] as string]}
        {...controlProps(property, error)}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          onChange(property.path, target.value);
        }}
      />
    </Field>
  );
}

function ChoiceEdit({ property, record, onChange }: EditProps) {
  const { tl } = useTranslation();
  return (
    <Choice
      property={property}
      where="edit"
      value={record.params?.[property.path]}
      error={record.errors?.[property.path]}
      empty={property.isRequired ? tl('choose') : tl('none')}
      values={useValues(property, record.params?.[property.path])}
      onChange={onChange}
    />
  );
}

/** A form field: a select field for an enumeration, otherwise a text field. */
export default function DefaultEditProperty(props: EditProps) {
  useInitial(props.property, props.record, props.onChange);
  return props.property.availableValues ? <ChoiceEdit {...props} /> : <TextEdit {...props} />;
}
