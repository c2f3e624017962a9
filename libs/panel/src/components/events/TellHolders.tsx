import { useEffect, useRef } from 'react';
import { useTranslation } from 'adminjs';
import { guichet } from '#panel-kit/components/page/guichet.js';
import type { EditProps } from '#panel-kit/components/page/props.js';

/** What holders of tickets must know of. */
const facts = ['startsAt', 'endsAt', 'postalAddressId', 'alteration'];
const longest = 2000;

/**
 * Asks whether the holders are told, as soon as time, place or status of an event with valid tickets is changed in its form. It is the
 * field of both properties, and draws them together; the style keeps it in view above the button that saves.
 */
export default function TellHolders({ property, resource, record, onChange }: EditProps) {
  const { tc } = useTranslation();
  const { params } = record;
  const before = useRef(params);
  const count = Number(before.current?.holders ?? 0);
  const isChanged = facts.some((name) => String(params[name] ?? '') !== String(before.current?.[name] ?? ''));
  const asks = Boolean(record.id) && count > 0 && isChanged;
  const isFirst = property.path === 'tellHolders';
  useEffect(() => {
    if (isFirst) onChange(property.path, asks);
  }, [asks]);
  if (!asks || !isFirst) return null;
  // A sentence is for people who may write mails.
  const writes = resource.editProperties.some(({ name }) => name === 'holderNote');
  const tells = params[property.path] === true || params[property.path] === 'true';
  return (
    <fieldset className="gt-field gt-tell">
      <legend>{tc('TellHolders.title')}</legend>
      <label className="gt-check">
        <input
          id="edit-tellHolders"
          type="checkbox"
          name={property.path}
          checked={tells}
          aria-describedby="edit-tellHolders-help"
          onChange={({ target }) => onChange(property.path, target.checked)}
        />
        <span>{tc('TellHolders.tell', { count })}</span>
      </label>
      <p className="gt-help" id="edit-tellHolders-help">
        {tc(guichet.isMailed ? 'TellHolders.help' : 'TellHolders.kept')}
      </p>
      <details hidden={!tells || !writes}>
        <summary>{tc('TellHolders.note')}</summary>
        <textarea
          id="edit-holderNote"
          name="holderNote"
          aria-label={tc('TellHolders.note')}
          rows={2}
          maxLength={longest}
          value={params.holderNote ?? ''}
          onChange={({ target }) => onChange('holderNote', target.value)}
        />
      </details>
    </fieldset>
  );
}
