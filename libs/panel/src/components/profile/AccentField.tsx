import { useTranslation } from 'adminjs';
import { describing, FormField } from '#panel-kit/components/forms/FormField.js';

/** A field of the form. */
export interface LookField {
  readonly name: string;
  readonly value: string;
  readonly fault: string | undefined;
  readonly onChange: (value: string) => void;
}

/** The colour that a text means: `#rrggbb`; undefined when it means none. */
export function colourIn(text: string): string | undefined {
  const [, digits] = /^#?([\da-f]{6})$/i.exec(text.trim()) ?? [];
  return digits && `#${digits.toLowerCase()}`;
}

/** A colour as a text, with the browser's picker beside it. Empty: the usual colour. */
export function AccentField({
  name,
  field,
  usual,
  value,
  fault,
  onChange,
}: LookField & { readonly field: { readonly label: string; readonly help: string }; readonly usual: string }) {
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
