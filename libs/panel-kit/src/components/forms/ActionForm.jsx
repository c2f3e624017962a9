import React, { useEffect, useRef, useState } from 'react';
import { ApiClient, useNotice, useTranslation } from 'adminjs';
import { Loader } from '@adminjs/design-system';
import { useNavigate } from 'react-router';
import { Link } from 'react-router-dom';
import { actionAddress } from '../shared/actions.js';
import { FormControl, initialValue } from './FormControl.jsx';
import { Fault, focusOnFault } from './FormField.jsx';
import { FormRows, initialValues, namesIn } from './FormRows.jsx';
import { FormReport } from './FormReport.jsx';
import { usePreview } from './preview.js';
import { fromField } from '../shared/times.js';

const api = new ApiClient();

/** The fields that are shown for the current values of the other fields. */
const shownFields = (fields, values) => fields.filter(({ when }) => !when || when.values.includes(values[when.field]));

/** The fields by lines: those that stand beside others follow them. */
function linesOf(fields) {
  const lines = [];
  for (const field of fields) {
    if (field.beside && lines.length > 0) lines.at(-1).push(field);
    else lines.push([field]);
  }
  return lines;
}

const minutesOf = (clock) => (/^\d\d:\d\d/.test(clock) ? Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5)) : NaN);
const clockOf = (minutes) => new Date((((minutes % 1440) + 1440) % 1440) * 60_000).toISOString().slice(11, 16);

/** The times of day that move with another one by the same amount. Those that somebody entered stay. @param moved as they moved before */
function followersOf(fields, values, moved, leader, clock) {
  const by = minutesOf(clock) - minutesOf(leader.value);
  const times = fields
    .filter(({ follows, name, value }) => follows === leader.name && values[name] === (moved[name] ?? value))
    .map(({ name, value }) => [name, minutesOf(value) + by]);
  return Object.fromEntries(times.filter(([, minutes]) => !Number.isNaN(minutes)).map(([name, minutes]) => [name, clockOf(minutes)]));
}

/** A plain object, which is sent as JSON, or a FormData when a value is a file. */
function bodyOf(values) {
  if (!Object.values(values).some((value) => value instanceof File)) return values;
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) form.append(name, value);
  return form;
}

/** The form of an action that changes or creates a record: fields, consequences and a report, as the server describes them (`FormView`). */
export default function ActionForm({ record, resource, action }) {
  const { tb, tm } = useTranslation();
  const notify = useNotice();
  const navigate = useNavigate();
  const [view, setView] = useState(null);
  const [values, setValues] = useState({});
  const [errors, setErrors] = useState({});
  const [busy, setBusy] = useState(false);
  const [report, setReport] = useState(null);
  const moved = useRef({});
  const request = { resourceId: resource.id, actionName: action.name, ...(record && { recordId: record.id }) };
  const call = (more) => (record ? api.recordAction({ ...request, ...more }) : api.resourceAction({ ...request, ...more }));
  const back = record ? actionAddress({ name: 'show', actionType: 'record' }, resource.id, record.id) : resource.href;
  useEffect(() => {
    call({ params: Object.fromEntries(new URLSearchParams(window.location.search)) })
      .then(({ data }) => {
        setView(data.view);
        setValues(Object.fromEntries((data.view?.fields ?? []).flatMap(initialValues)));
      })
      .catch(() => notify({ message: 'failed', type: 'error' }));
  }, [resource.id, record?.id, action.name]);
  const preview = usePreview(view, values, call);
  const change = (field, value) => {
    const times = followersOf(view.fields, values, moved.current, field, value);
    moved.current = { ...moved.current, ...times };
    setValues((before) => ({ ...before, ...times, [field.name]: value }));
  };
  const send = async (event) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    const dates = new Set(view.fields.filter(({ kind }) => kind === 'datetime').map(({ name }) => name));
    const shown = new Set(view.fields.filter(({ kind }) => kind === 'copy').map(({ name }) => name));
    const asked = new Set(shownFields(view.fields, values).flatMap((field) => namesIn(field, values)));
    const typed = Object.entries(values).filter(([name]) => asked.has(name) && !shown.has(name));
    const sent = typed.map(([name, value]) => [name, dates.has(name) && value ? fromField(value) : value]);
    const { submitter } = event.nativeEvent;
    const also = submitter?.name === 'also' ? { [view.also.field]: submitter.value } : {};
    try {
      // Must not be empty, because AdminJS's client sends a call without data as GET.
      const { data } = await call({ data: bodyOf({ ...Object.fromEntries(sent), ...also, confirmed: true }) });
      const faults = Object.entries(data.errors ?? data.record?.errors ?? {});
      setErrors(Object.fromEntries(faults.map(([field, { message }]) => [field, message])));
      setReport(data.view?.report ?? null);
      if (data.notice) notify({ ...data.notice, resourceId: resource.id });
      const refused = faults.length > 0 || data.notice?.type === 'error';
      if (refused) focusOnFault();
      else if (/^https?:/.test(data.redirectUrl ?? '')) window.location.assign(data.redirectUrl);
      else if (!data.view?.report) navigate(data.redirectUrl ?? back);
    } catch {
      notify({ message: 'failed', type: 'error' });
    }
    setBusy(false);
  };
  if (!view) return <Loader />;
  const message = (text) => (text ? tm(text, resource.id) : undefined);
  const known = new Set(view.fields.flatMap((field) => [field.name, ...namesIn(field, values)]));
  const drawn = (field) =>
    field.kind === 'rows' ? (
      <FormRows
        key={field.name}
        {...{ field, values, errors, message }}
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
    <form className="gt-panel gt-action-form" onSubmit={(event) => void send(event)} noValidate>
      {(view.lead ?? []).map((text) => (
        <p key={text} className="gt-lead">
          {text}
        </p>
      ))}
      {view.facts?.length > 0 ? (
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
      {linesOf(shownFields(view.fields, values)).map((line) =>
        line.length === 1 ? (
          drawn(line[0])
        ) : (
          <div key={line[0].name} className="gt-form-line">
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
        {(view.also?.buttons ?? []).map(({ label, value }) => (
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
