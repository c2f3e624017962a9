import type { ComponentChildren, VNode } from 'preact';
import { PlainField } from './plain-field.js';
import type { PanelRow } from '../resource/panel-source.js';
import { textOf } from './form-values.js';
import type { FormField, FormView } from './form-view.js';

/** What was typed and refused, by the name of the field. */
export interface RefusedForm {
  readonly typed: Readonly<Record<string, string>>;
  readonly faults: ReadonlyMap<string, string>;
}

interface PlainFormProps {
  /** Begins the ids of its elements. */
  readonly id: string;
  readonly view: FormView;
  readonly action: string;
  readonly refused?: RefusedForm | undefined;
}

type Simple = Omit<FormField, 'rows'>;

/** Rows that a form without scripts has at most; each opens the next one. */
const mostRows = 6;
const numbers = Array.from({ length: mostRows }, (_, index) => index + 1);

/** Begins the name of the checkbox that removes a row; its value names the fields of that row. */
const removal = 'removed-';

/** The values of a form without those of the rows that were removed. */
export function withoutRemoved(values: PanelRow): PanelRow {
  const [removals, kept] = [true, false].map((wanted) => Object.entries(values).filter(([name]) => name.startsWith(removal) === wanted));
  const gone = new Set(removals?.flatMap(([, names]) => textOf(names).split(' ')));
  return Object.fromEntries(kept?.filter(([name]) => !gone.has(name)) ?? []);
}

/** The state of a form. */
interface Shown extends RefusedForm {
  readonly id: string;
}

/**
 * The form of an action on a page without AdminJS: the same fields as the component `ActionForm` draws. Needs no script. Fields with a
 * condition carry the name of the other field as `data-when`; the style sheet of the page hides them.
 */
export function PlainForm({ id, view, action, refused }: PlainFormProps): VNode {
  const { fields, submit, also, previewed } = view;
  const shown: Shown = { id, typed: refused?.typed ?? {}, faults: refused?.faults ?? new Map() };
  const chosen = also?.field;
  const hidden = fields.filter(({ kind }) => kind === 'hidden').map(({ name, value = '' }) => ({ name, value: String(value) }));
  const unknown = [...shown.faults].filter(([name]) => !namesIn(fields).some((known) => known.test(name)));
  return (
    <form class="gt-plain-form" method="post" action={action} enctype="multipart/form-data" novalidate>
      {unknown.map(([, text]) => (
        <p class="gt-fault" role="alert">
          {text}
        </p>
      ))}
      {hidden.map(({ name, value }) => name !== chosen && <input type="hidden" name={name} value={value} />)}
      {linesOf(fields).map((line) => (
        <Line isShared={line.length > 1}>
          {line.map((field) => (
            <div {...(field.when && { 'data-when': field.when.field })}>
              {field.kind === 'rows' ? <Rows field={field} shown={shown} /> : <Control field={field} shown={shown} />}
            </div>
          ))}
        </Line>
      ))}
      {previewed && <p class="gt-note">{previewed}</p>}
      <p class="gt-header-actions">
        <button class="gt-button" type="submit" name={chosen} value={hidden.find(({ name }) => name === chosen)?.value}>
          {submit}
        </button>
        {also?.buttons.map(({ label, value }) => (
          <button class="gt-button gt-button-quiet" type="submit" name={chosen} value={value}>
            {label}
          </button>
        ))}
      </p>
    </form>
  );
}

/** The fields by lines: those that stand beside others follow them. */
function linesOf(fields: readonly FormField[]): FormField[][] {
  const lines: FormField[][] = [];
  for (const field of fields.filter(({ kind }) => kind !== 'hidden')) {
    if (field.beside) lines.at(-1)?.push(field);
    else lines.push([field]);
  }
  return lines;
}

/** The names of all values that the form sends. */
const namesIn = (fields: readonly FormField[]): RegExp[] =>
  fields.flatMap(({ name, rows }) => (rows ? rows.fields.map((one) => new RegExp(`^${one.name}\\d+$`)) : [new RegExp(`^${name}$`)]));

function Line({ isShared, children }: { readonly isShared: boolean; readonly children: ComponentChildren }): VNode {
  return isShared ? <div class="gt-form-line">{children}</div> : <>{children}</>;
}

function Control({ field, shown: { id, typed, faults } }: { readonly field: Simple; readonly shown: Shown }): VNode {
  const { name, label, help } = field;
  const value = typed[name] ?? String(field.value ?? '');
  return (
    <PlainField
      id={`${id}-${name}`}
      name={name}
      label={label}
      hint={help}
      optional={!field.required && field.kind !== 'select'}
      fault={faults.get(name)}
      control={(common) => <Input field={field} value={value} common={{ ...common, required: field.required }} />}
    />
  );
}

interface InputProps {
  readonly field: Simple;
  readonly value: string;
  /** Attributes that each kind of control has. */
  readonly common: object;
}

function Input({ field, value, common }: InputProps): VNode {
  const { kind, options = [], empty, accept, longest } = field;
  if (kind === 'textarea') return <textarea {...common} rows={4} maxlength={longest ?? 2000} value={value} />;
  if (kind === 'file') return <input {...common} type="file" accept={accept} />;
  if (kind === 'date' || kind === 'time') return <input {...common} type={kind} value={value} />;
  if (kind !== 'select') return <input {...common} type="text" autocomplete="off" maxlength={longest ?? 200} value={value} />;
  return (
    <select {...common}>
      {empty !== undefined && <option value="">{empty}</option>}
      {options.map((option) => (
        <option value={option.value} selected={option.value === value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}

interface RowsProps {
  readonly field: FormField;
  readonly shown: Shown;
}

function Rows({ field, shown }: RowsProps): VNode | null {
  const { label, help, rows } = field;
  if (!rows) return null;
  const typed = rows.fields
    .filter(({ kind }) => kind !== 'select')
    .flatMap(({ name }) => numbers.filter((number) => number <= rows.most && (shown.typed[`${name}${number}`] ?? '') !== ''));
  return (
    <fieldset class="gt-field gt-rows">
      <legend>{label}</legend>
      {help && <p class="gt-help">{help}</p>}
      <RowsFrom rows={rows} number={1} lastTyped={Math.max(0, ...typed)} shown={shown} />
    </fieldset>
  );
}

interface RowsFromProps {
  readonly rows: NonNullable<FormField['rows']>;
  readonly number: number;
  /** The last row that was typed; those before it are open, because each contains the next one. */
  readonly lastTyped: number;
  readonly shown: Shown;
}

/** A row, and those behind it; one that is not shown at first stands behind a line that opens it. */
function RowsFrom({ rows, number, lastTyped, shown }: RowsFromProps): VNode | null {
  if (number > Math.min(rows.most, mostRows)) return null;
  const fields = rows.fields.map((field) => ({ ...field, name: `${field.name}${number}` }));
  const names = fields.map(({ name }) => name);
  const content = (
    <>
      <div
        class={fields.length === 1 ? 'gt-form-row gt-form-row-short' : 'gt-form-row'}
        role="group"
        aria-label={`${rows.legend} ${number}`}
      >
        {fields.map((field) => (
          <Control field={field} shown={shown} />
        ))}
        <label class="gt-check">
          <input type="checkbox" name={`${removal}${names[0]}`} value={names.join(' ')} />
          <span>{rows.remove}</span>
        </label>
      </div>
      <RowsFrom rows={rows} number={number + 1} lastTyped={lastTyped} shown={shown} />
    </>
  );
  if (number <= rows.initial) return content;
  return (
    <details class="gt-more-rows" open={number <= lastTyped}>
      <summary>{rows.add}</summary>
      {content}
    </details>
  );
}
