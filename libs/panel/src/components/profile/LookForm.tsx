import { useState, type FormEvent } from 'react';
import { useTranslation } from 'adminjs';
import { Loader } from '@adminjs/design-system';
import { useNavigate } from 'react-router';
import { Link } from 'react-router-dom';
import { Fault, focusOnFault, Segments } from '#panel-kit/components/forms/FormField.js';
import { recordAddress } from '#panel-kit/components/shared/actions.js';
import { addressOf, faultsIn, isRefused, useSend, useView, type Faults, type RecordPage } from '#panel-kit/components/page/view.js';
import type { LookView } from '../../profile/look.action.js';
import { AccentField, type LookField } from './AccentField.js';
import { LookPreview, type Look } from './LookPreview.js';

/** Radio buttons below each other, each with a line about it. */
function Choices({ name, field, value, fault, onChange }: LookField & { readonly field: LookView['fields']['typeface'] }) {
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
export default function LookForm({ record, resource, action }: RecordPage) {
  const { tb, tc, tm } = useTranslation();
  const navigate = useNavigate();
  const [look, setLook] = useState<Look>({ accentColour: '', typeface: '', corners: '' });
  const [errors, setErrors] = useState<Faults>({});
  const { busy, send } = useSend(resource.id);
  const address = addressOf({ record, resource, action });
  const pageOf = (name?: string): string => recordAddress(resource.id, record.id, name);
  const [view] = useView<LookView>(address, undefined, ({ fields: { accentColour, typeface, corners } }) =>
    setLook({ accentColour: accentColour.value, typeface: typeface.value, corners: corners.value }),
  );
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const answer = await send(address, look);
    if (!answer) return;
    setErrors(faultsIn(answer));
    if (isRefused(answer)) focusOnFault();
    else navigate(pageOf());
  };
  if (!view) return <Loader />;
  const { accentColour, typeface, corners } = view.fields;
  const props = (name: keyof Look): LookField => ({
    name,
    value: look[name],
    fault: errors[name] === undefined ? undefined : tm(errors[name], resource.id),
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
                <Link to={pageOf(name)}>{label}</Link>
              </li>
            ))}
          </ul>
        </div>
        <div className="gt-header-actions">
          <button type="submit" className="gt-button" disabled={busy}>
            {tb('save')}
          </button>
          <Link to={pageOf()} className="gt-button gt-button-quiet">
            {tb('back')}
          </Link>
        </div>
      </form>
      <LookPreview address={view.preview} look={look} hasEvent={view.hasEvent} />
    </div>
  );
}
