import { FormControl, initialValue, type FieldValue } from './FormControl.js';
import { Fault } from './FormField.js';
import type { Faults } from '../page/view.js';
import type { FormField } from '../../actions/form-view.js';
import type { Sent } from '../../actions/view-of.js';

/** The values of a form by the names of their fields. */
export type FormValues = Readonly<Record<string, FieldValue>>;

type Field = Sent<FormField>;

const nameIn = ({ name }: { readonly name: string }, row: number): string => `${name}${row}`;
const rowsOf = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

/** The values of a new row. */
const emptyRow = (rows: NonNullable<Field['rows']>, row: number): FormValues =>
  Object.fromEntries(rows.fields.map((field) => [nameIn(field, row), initialValue(field)]));

/** The initial values of a field as entries; a field of rows also has the number of its rows. */
export function initialValues({ rows, ...field }: Field): [name: string, value: FieldValue][] {
  if (!rows) return [[field.name, initialValue(field)]];
  return [[field.name, rows.initial], ...rowsOf(rows.initial).flatMap((row) => Object.entries(emptyRow(rows, row)))];
}

/** The names of the values that a field sends. */
export function namesIn({ name, rows }: Field, values: FormValues): string[] {
  return rows ? rowsOf(Number(values[name])).flatMap((row) => rows.fields.map((one) => nameIn(one, row))) : [name];
}

/** Fields that people repeat: rows can be added and removed. */
export function FormRows({
  field: { name, label, help },
  rows,
  values,
  errors,
  message,
  change,
}: {
  readonly field: Field;
  readonly rows: NonNullable<Field['rows']>;
  readonly values: FormValues;
  readonly errors: Faults;
  readonly message: (text: string | undefined) => string | undefined;
  readonly change: (values: FormValues) => void;
}) {
  const count = Number(values[name]);
  const remove = (gone: number): void => {
    // The rows behind it move up.
    const moved = rowsOf(count - 1).flatMap((row) =>
      rows.fields.map((one): [string, FieldValue] => [nameIn(one, row), values[nameIn(one, row < gone ? row : row + 1)] ?? '']),
    );
    change({ ...Object.fromEntries(moved), [name]: count - 1 });
  };
  return (
    <fieldset className="gt-field gt-rows">
      <legend>{label}</legend>
      {help ? <p className="gt-help">{help}</p> : null}
      {rowsOf(count).map((row) => (
        <div
          key={row}
          className={`gt-form-row${rows.fields.length === 1 ? ' gt-form-row-short' : ''}`}
          role="group"
          aria-label={`${rows.legend} ${row}`}
        >
          {rows.fields.map((one) => (
            <FormControl
              key={one.name}
              field={{ ...one, name: nameIn(one, row) }}
              value={values[nameIn(one, row)] ?? initialValue(one)}
              fault={message(errors[nameIn(one, row)])}
              onChange={(value) => change({ [nameIn(one, row)]: value })}
            />
          ))}
          {count > Math.min(1, rows.initial) ? (
            <button type="button" className="gt-step" aria-label={`${rows.remove} ${row}`} onClick={() => remove(row)}>
              ×
            </button>
          ) : null}
        </div>
      ))}
      {count < rows.most ? (
        <button
          type="button"
          className="gt-button gt-button-quiet"
          onClick={() => change({ ...emptyRow(rows, count + 1), [name]: count + 1 })}
        >
          {rows.add}
        </button>
      ) : null}
      <Fault text={message(errors[name])} />
    </fieldset>
  );
}
