import React, { useEffect, useState } from 'react';
import { ApiClient, useNotice, useTranslation } from 'adminjs';
import { Loader } from '@adminjs/design-system';
import { useNavigate } from 'react-router';
import { Link } from 'react-router-dom';
import { actionAddress } from '#panel-kit/components/shared/actions.js';
import { Fault, focusOnFault, Segments } from '#panel-kit/components/forms/FormField.jsx';
import { AccentField } from './AccentField.jsx';
import { LookPreview } from './LookPreview.jsx';

const api = new ApiClient();

/** Radio buttons below each other, each with a line about it. */
function Choices({ name, field, value, fault, onChange }) {
  return (
    <fieldset className={`gt-field gt-checks gt-look-choices${fault ? ' gt-field-bad' : ''}`}>
      <legend>{field.label}</legend>
      <p className="gt-help">{field.help}</p>
      <div>
        {field.options.map((option) => (
          <label key={option.value} className="gt-check">
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={value === option.value}
              aria-describedby={`${name}-${option.value}`}
              onChange={() => onChange(option.value)}
            />
            <span>
              {option.label}
              <span className="gt-small" id={`${name}-${option.value}`}>
                {option.help}
              </span>
            </span>
          </label>
        ))}
      </div>
      <Fault id={`${name}-error`} text={fault} />
    </fieldset>
  );
}

/** Chooses the look of the public pages beside a preview of them. */
export default function LookForm({ record, resource, action }) {
  const { tb, tc, tm } = useTranslation();
  const notify = useNotice();
  const navigate = useNavigate();
  const [view, setView] = useState(null);
  const [look, setLook] = useState({});
  const [errors, setErrors] = useState({});
  const [busy, setBusy] = useState(false);
  const request = { resourceId: resource.id, recordId: record.id, actionName: action.name };
  const addressOf = (name) => actionAddress({ name, actionType: 'record' }, resource.id, record.id);
  useEffect(() => {
    api
      .recordAction(request)
      .then(({ data }) => {
        setLook(Object.fromEntries(Object.entries(data.view.fields).map(([name, { value }]) => [name, value])));
        setView(data.view);
      })
      .catch(() => notify({ message: 'failed', type: 'error' }));
  }, [record.id]);
  const save = async (event) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    try {
      const { data } = await api.recordAction({ ...request, data: look });
      const faults = Object.entries(data.record?.errors ?? {});
      setErrors(Object.fromEntries(faults.map(([field, { message }]) => [field, tm(message, resource.id)])));
      if (data.notice) notify({ ...data.notice, resourceId: resource.id });
      if (faults.length > 0 || data.notice?.type === 'error') focusOnFault();
      else navigate(addressOf('show'));
    } catch {
      notify({ message: 'failed', type: 'error' });
    }
    setBusy(false);
  };
  if (!view) return <Loader />;
  const { accentColour, typeface, corners } = view.fields;
  const props = (name) => ({
    name,
    value: look[name],
    fault: errors[name],
    onChange: (value) => setLook((before) => ({ ...before, [name]: value })),
  });
  return (
    <div className="gt-look">
      <form className="gt-panel gt-action-form" onSubmit={(event) => void save(event)} noValidate>
        <p className="gt-lead">{tc('LookForm.lead')}</p>
        <AccentField {...props('accentColour')} field={accentColour} usual={view.usualAccent} />
        <Choices {...props('typeface')} field={typeface} />
        <Segments {...corners} {...props('corners')} />
        <div className="gt-field gt-look-pictures">
          <h2>{tc('LookForm.pictures')}</h2>
          <ul>
            {view.pictures.map(({ action: name, label, picture }) => (
              <li key={name}>
                {picture.src ? <img src={picture.src} alt="" /> : null}
                <Link to={addressOf(name)}>{label}</Link>
              </li>
            ))}
          </ul>
        </div>
        <div className="gt-header-actions">
          <button type="submit" className="gt-button" disabled={busy}>
            {tb('save')}
          </button>
          <Link to={addressOf('show')} className="gt-button gt-button-quiet">
            {tb('back')}
          </Link>
        </div>
      </form>
      <LookPreview address={view.preview} look={look} hasEvent={view.hasEvent} />
    </div>
  );
}
