import React from 'react';
import { FormControl, initialValue } from './FormControl.jsx';
import { Fault } from './FormField.jsx';

const nameIn = ({ name }, row) => `${name}${row}`;
const rowsOf = (count) => Array.from({ length: count }, (_, index) => index + 1);

/** The values of a new row. */
const emptyRow = ({ rows }, row) => Object.fromEntries(rows.fields.map((field) => [nameIn(field, row), initialValue(field)]));

/** The initial values of a field as entries; a field of rows also has the number of its rows. */
export const initialValues = (field) =>
  field.kind === 'rows'
    ? [[field.name, field.rows.initial], ...rowsOf(field.rows.initial).flatMap((row) => Object.entries(emptyRow(field, row)))]
    : [[field.name, initialValue(field)]];

/** The names of the values that a field sends. */
export const namesIn = (field, values) =>
  field.kind === 'rows' ? rowsOf(values[field.name]).flatMap((row) => field.rows.fields.map((one) => nameIn(one, row))) : [field.name];

/** Fields that people repeat: rows can be added and removed. */
export function FormRows({ field, values, errors, message, change }) {
  const { name, label, help, rows } = field;
  const count = values[name];
  const remove = (gone) => {
    // The rows behind it move up.
    const moved = rowsOf(count - 1).flatMap((row) =>
      rows.fields.map((one) => [nameIn(one, row), values[nameIn(one, row < gone ? row : row + 1)]]),
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
          onClick={() => change({ ...emptyRow(field, count + 1), [name]: count + 1 })}
        >
          {rows.add}
        </button>
      ) : null}
      <Fault text={message(errors[name])} />
    </fieldset>
  );
}
