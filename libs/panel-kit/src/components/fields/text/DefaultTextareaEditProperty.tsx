import { useEffect, useState } from 'react';
import { controlProps, Field } from '../../shared/Field.js';
import type { EditProps } from '../../page/props.js';

/** A long text in a form. */
export default function DefaultTextareaEditProperty({ property, record, onChange }: EditProps) {
  const error = record.errors?.[property.path];
  const stored = String(record.params?.[property.path] ?? '');
  const [text, setText] = useState(stored);
  useEffect(() => setText(stored), [stored]);
  return (
    <Field property={property} error={error}>
      <textarea
        {...controlProps(property, error)}
        rows={Math.min(Math.max(text.split('\n').length + 1, 4), 20)}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          onChange(property.path, target.value);
        }}
      />
    </Field>
  );
}
