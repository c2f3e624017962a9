import React, { useState } from 'react';
import { ApiClient, useNotice, useTranslation } from 'adminjs';
import { Link } from 'react-router-dom';
import { actionAddress } from '#panel-kit/components/shared/actions.js';
import { fromField, toField } from '#panel-kit/components/shared/times.js';

const DAY = 86_400_000;
const api = new ApiClient();

/** The form that resends an endpoint's failed deliveries since a moment, and its result. */
export default function SendAgain({ record, resource, action }) {
  const { tc, tl, tm, tp } = useTranslation();
  const notify = useNotice();
  const [text, setText] = useState(toField(new Date(Date.now() - DAY)));
  const [answer, setAnswer] = useState({});
  const [busy, setBusy] = useState(false);
  const request = { resourceId: resource.id, recordId: record.id, actionName: action.name };
  const send = async (event) => {
    event.preventDefault();
    setBusy(true);
    try {
      const { data } = await api.recordAction({ ...request, data: { since: fromField(text) } });
      if (data.notice) notify({ ...data.notice, resourceId: resource.id });
      setAnswer({ fault: data.record?.errors?.since?.message, queued: data.view?.queued });
    } catch {
      notify({ message: 'failed', type: 'error' });
    }
    setBusy(false);
  };
  const { fault, queued } = answer;
  const key = queued === 0 ? 'queued_zero' : 'queued';
  return (
    <form className="gt-panel gt-pairing" onSubmit={(event) => void send(event)} noValidate>
      <p className="gt-lead">{tm('resendLead', resource.id)}</p>
      <div className={`gt-field${fault ? ' gt-field-bad' : ''}`}>
        <label htmlFor="since">
          {tp('since', resource.id)} <span className="gt-required">({tl('required')})</span>
        </label>
        <input
          id="since"
          type="datetime-local"
          value={text}
          aria-invalid={fault ? true : undefined}
          aria-describedby={fault ? 'since-error' : undefined}
          onChange={({ target }) => setText(target.value)}
        />
        {fault ? (
          <p className="gt-fault" id="since-error">
            {tm(fault, resource.id)}
          </p>
        ) : null}
      </div>
      <p role="status" className={queued ? 'gt-lead gt-good' : 'gt-lead'}>
        {queued === undefined ? '' : tm(key, resource.id, { count: queued })}
      </p>
      <div className="gt-header-actions">
        <button type="submit" className="gt-button" disabled={busy}>
          {tm('resendDo', resource.id)}
        </button>
        <Link to={actionAddress({ name: 'show', actionType: 'record' }, resource.id, record.id)} className="gt-button gt-button-quiet">
          {tc('Reveal.back')}
        </Link>
      </div>
    </form>
  );
}
