import { useRef, useState, type FormEvent } from 'react';
import { useTranslation, type RecordJSON } from 'adminjs';
import { Loader } from '@adminjs/design-system';
import { useNavigate } from 'react-router';
import { Link } from 'react-router-dom';
import { recordAddress } from '../shared/actions.js';
import { fromField } from '../shared/times.js';
import { addressOf, faultsIn, isRefused, useSend, useView, type Faults, type ResourcePage } from '../page/view.js';
import { FormControl, initialValue, type FieldValue } from './FormControl.js';
import { Fault, focusOnFault } from './FormField.js';
import { FormReport } from './FormReport.js';
import { FormRows, initialValues, namesIn, type FormValues } from './FormRows.js';
import { usePreview } from './preview.js';
import type { FormField, FormReport as Report, FormView } from '../../actions/form-view.js';
import type { Sent } from '../../actions/view-of.js';

type Field = Sent<FormField>;

/** The view of the form, and after it was sent the report of what was done. */
type View = Sent<Partial<FormView>> & { readonly report?: Sent<Report> };

/** What decides about other fields: the value, or the end of the name of a file. */
const deciding = (value: FormValues[string] | undefined): string =>
  value instanceof File ? (/\.[^.]*$/.exec(value.name)?.[0].toLowerCase() ?? '') : String(value);

/** The fields that are shown for the current values of the other fields. */
const shownFields = (fields: readonly Field[], values: FormValues): Field[] =>
  fields.filter(({ when }) => !when || when.values.includes(deciding(values[when.field])));

/** The fields by lines: those that stand beside others follow them. */
function linesOf(fields: readonly Field[]): Field[][] {
  const lines: Field[][] = [];
  for (const field of fields) {
    const last = lines.at(-1);
    if (field.beside && last) last.push(field);
    else lines.push([field]);
  }
  return lines;
}

const minutesOf = (clock: unknown): number =>
  typeof clock === 'string' && /^\d\d:\d\d/.test(clock) ? Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5)) : NaN;
const clockOf = (minutes: number): string => new Date((((minutes % 1440) + 1440) % 1440) * 60_000).toISOString().slice(11, 16);

/** The times of day that move with another one by the same amount. Those that somebody entered stay. @param moved as they moved before */
function followersOf(
  fields: readonly Field[],
  values: FormValues,
  moved: Readonly<Record<string, string>>,
  leader: Field,
  clock: unknown,
): Record<string, string> {
  const by = minutesOf(clock) - minutesOf(leader.value);
  const times = fields
    .filter(({ follows, name, value }) => follows === leader.name && values[name] === (moved[name] ?? value))
    .map(({ name, value }): [string, number] => [name, minutesOf(value) + by]);
  return Object.fromEntries(times.filter(([, minutes]) => !Number.isNaN(minutes)).map(([name, minutes]) => [name, clockOf(minutes)]));
}

/** A plain object, which is sent as JSON, or a FormData when a value is a file. */
function bodyOf(values: Readonly<Record<string, FieldValue | boolean | null>>): unknown {
  if (!Object.values(values).some((value) => value instanceof File)) return values;
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) form.append(name, value instanceof File ? value : String(value));
  return form;
}

/** The form of an action that changes or creates a record: fields, consequences and a report, as the server describes them (`FormView`). */
export default function ActionForm({ record, resource, action }: ResourcePage & { readonly record?: RecordJSON }) {
  const { tb, tm } = useTranslation();
  const navigate = useNavigate();
  const [values, setValues] = useState<FormValues>({});
  const [errors, setErrors] = useState<Faults>({});
  const [report, setReport] = useState<Sent<Report> | null>(null);
  const { busy, send } = useSend(resource.id);
  const address = addressOf({ resource, action, ...(record && { record }) });
  const back = record ? recordAddress(resource.id, record.id) : (resource.href ?? '');
  const [view] = useView<View>(address, Object.fromEntries(new URLSearchParams(window.location.search)), ({ fields = [] }) =>
    setValues(Object.fromEntries(fields.flatMap(initialValues))),
  );
  const moved = useRef<Readonly<Record<string, string>>>({});
  const preview = usePreview(address, view?.preview ?? [], values);
  if (!view) return <Loader />;
  const { fields = [], also } = view;
  const seen = shownFields(fields, values);
  const change = (field: Field, value: FieldValue): void => {
    const times = followersOf(fields, values, moved.current, field, value);
    moved.current = { ...moved.current, ...times };
    setValues((before) => ({ ...before, ...times, [field.name]: value }));
  };
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const dates = new Set(fields.filter(({ kind }) => kind === 'datetime').map(({ name }) => name));
    const shown = new Set(fields.filter(({ kind }) => kind === 'copy').map(({ name }) => name));
    const asked = new Set(seen.flatMap((field) => namesIn(field, values)));
    const typed = Object.entries(values).filter(([name]) => asked.has(name) && !shown.has(name));
    const sent = typed.map(([name, value]) => [name, dates.has(name) && typeof value === 'string' && value ? fromField(value) : value]);
    const { submitter } = event.nativeEvent as SubmitEvent;
    const more = submitter instanceof HTMLButtonElement && submitter.name === 'also' && also ? { [also.field]: submitter.value } : {};
    // Must not be empty, because AdminJS's client sends a call without data as GET.
    const answer = await send<View>(address, bodyOf({ ...Object.fromEntries(sent), ...more, confirmed: true }));
    if (!answer) return;
    setErrors(faultsIn(answer));
    setReport(answer.view?.report ?? null);
    if (isRefused(answer)) focusOnFault();
    else if (answer.redirectUrl !== undefined && /^https?:/.test(answer.redirectUrl)) window.location.assign(answer.redirectUrl);
    else if (!answer.view?.report) navigate(answer.redirectUrl ?? back);
  };
  const message = (text: string | undefined): string | undefined => (text ? tm(text, resource.id) : undefined);
  const known = new Set(seen.flatMap((field) => [field.name, ...namesIn(field, values)]));
  const drawn = (field: Field) =>
    field.rows ? (
      <FormRows
        key={field.name}
        {...{ field, rows: field.rows, values, errors, message }}
        change={(more) => setValues((before) => ({ ...before, ...more }))}
      />
    ) : (
      <FormControl
        key={field.name}
        field={field}
        value={values[field.name] ?? initialValue(field)}
        fault={message(errors[field.name])}
        onChange={(value) => change(field, value)}
      />
    );
  return (
    <form className="gt-panel gt-action-form" onSubmit={(event) => void submit(event)} noValidate>
      {(view.lead ?? []).map((text) => (
        <p key={text} className="gt-lead">
          {text}
        </p>
      ))}
      {view.facts && view.facts.length > 0 ? (
        <ul className="gt-facts">
          {view.facts.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      ) : null}
      {report ? <FormReport report={report} focused /> : null}
      {(view.reports ?? []).map((each) => (
        <FormReport key={each.title} report={each} />
      ))}
      {linesOf(seen).map((line) =>
        line.length === 1 ? (
          line.map(drawn)
        ) : (
          <div key={line[0]?.name} className="gt-form-line">
            {line.map(drawn)}
          </div>
        ),
      )}
      {Object.entries(errors)
        .filter(([field]) => !known.has(field))
        .map(([field, text]) => (
          <Fault key={field} text={message(text)} />
        ))}
      <p className={preview ? 'gt-note' : undefined} aria-live="polite">
        {preview}
      </p>
      <div className="gt-header-actions">
        {view.submit ? (
          <button type="submit" className={view.danger ? 'gt-button gt-button-danger' : 'gt-button'} disabled={busy}>
            {view.submit}
          </button>
        ) : null}
        {(also?.buttons ?? []).map(({ label, value }) => (
          <button key={value} type="submit" name="also" value={value} className="gt-button gt-button-quiet" disabled={busy}>
            {label}
          </button>
        ))}
        <Link to={back} className="gt-button gt-button-quiet">
          {tb('back')}
        </Link>
      </div>
    </form>
  );
}
