import { useTranslation } from 'adminjs';
import { Copy } from '../shared/Copy.js';
import { Checks, describing, FormField as Labelled, Segments } from './FormField.js';
import { toField } from '../shared/times.js';
import type { FormField } from '../../actions/form-view.js';
import type { Sent } from '../../actions/view-of.js';

/** What a field holds. */
export type FieldValue = string | number | readonly string[] | File;

/** The initial value of a field. */
export const initialValue = ({ kind, value }: Sent<Pick<FormField, 'kind' | 'value'>>): FieldValue =>
  kind === 'datetime' && typeof value === 'string' && value ? toField(value) : (value ?? (kind === 'checks' ? [] : ''));

/** One form field, as the server describes it (`FormField`). */
export function FormControl({
  field,
  value,
  fault,
  onChange,
}: {
  readonly field: Sent<FormField>;
  readonly value: FieldValue;
  readonly fault: string | undefined;
  readonly onChange: (value: FieldValue) => void;
}) {
  const { tl } = useTranslation();
  const { name, kind, label, help, options = [], required } = field;
  const optional = !required && kind !== 'select';
  const text = typeof value === 'string' ? value : '';
  const chosen = kind === 'select' ? options.find((option) => option.value === text) : undefined;
  if (kind === 'hidden') return null;
  if (kind === 'choice') return <Segments {...{ name, label, help, fault, options, value: text, onChange }} />;
  if (kind === 'checks')
    return (
      <Checks
        {...{ name, label, help, fault, options, value: typeof value === 'object' && !(value instanceof File) ? value : [], onChange }}
      />
    );
  if (kind === 'copy') {
    return (
      <div className="gt-field">
        <Copy label={label} text={String(field.value ?? '')} />
      </div>
    );
  }
  const props = {
    id: name,
    value: text,
    ...(required ? { 'aria-required': true } : {}),
    ...describing(name, fault, help),
    onChange: ({ target }: { readonly target: { readonly value: string } }) => onChange(target.value),
  };
  if (kind === 'file') {
    // A file input has no value that could be set.
    return (
      <Labelled {...{ name, label, optional, help, fault }}>
        <input
          id={name}
          name={name}
          type="file"
          accept={field.accept}
          {...describing(name, fault, help)}
          onChange={({ target }) => onChange(target.files?.[0] ?? '')}
        />
      </Labelled>
    );
  }
  return (
    <Labelled {...{ name, label, optional, help, fault }}>
      {kind === 'textarea' ? <textarea {...props} rows={4} maxLength={field.longest ?? 2000} /> : null}
      {kind === 'select' ? (
        <select {...props}>
          <option value="">{field.empty ?? tl('choose')}</option>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      ) : null}
      {chosen?.help ? (
        <p className="gt-help" aria-live="polite">
          {chosen.help}
        </p>
      ) : null}
      {kind === 'text' ? <input {...props} type="text" autoComplete="off" maxLength={field.longest ?? 200} /> : null}
      {kind === 'secret' ? <input {...props} type="password" autoComplete="new-password" maxLength={300} /> : null}
      {kind === 'datetime' ? <input {...props} type="datetime-local" /> : null}
      {kind === 'date' || kind === 'time' ? <input {...props} type={kind} /> : null}
      {kind === 'email' ? (
        <input {...props} type="email" autoComplete="off" autoCapitalize="none" spellCheck={false} maxLength={254} />
      ) : null}
    </Labelled>
  );
}
