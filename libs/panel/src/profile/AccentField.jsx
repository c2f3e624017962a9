import React from 'react';
import { useTranslation } from 'adminjs';
import { describing, FormField } from '#panel-kit/components/forms/FormField.jsx';

/** The colour that a text means: `#rrggbb`; undefined when it means none. */
export function colourIn(text) {
  const [, digits] = /^#?([\da-f]{6})$/i.exec(text.trim()) ?? [];
  return digits && `#${digits.toLowerCase()}`;
}

/** A colour as a text, with the browser's picker beside it. Empty: the usual colour. */
export function AccentField({ name, field, usual, value, fault, onChange }) {
  const { tc } = useTranslation();
  const { label, help } = field;
  return (
    <FormField {...{ name, label, help, fault }}>
      <div className="gt-look-colour">
        <input
          type="color"
          aria-label={tc('LookForm.pick')}
          value={colourIn(value) ?? usual}
          onChange={({ target }) => onChange(target.value)}
        />
        <input
          id={name}
          type="text"
          autoComplete="off"
          spellCheck={false}
          maxLength={20}
          placeholder={usual}
          value={value}
          {...describing(name, fault, help)}
          onChange={({ target }) => onChange(target.value)}
        />
      </div>
    </FormField>
  );
}
