import React, { useEffect, useState } from 'react';
import { ApiClient, useNotice, useTranslation } from 'adminjs';
import { Link } from 'react-router-dom';
import { actionAddress } from '#panel-kit/components/shared/actions.js';
import { ask } from '#panel-kit/components/frame/confirm.js';

const LARGEST = 10 * 1024 * 1024;
const api = new ApiClient();

/** A preview URL of the chosen file. */
function usePreview(file) {
  const [address, setAddress] = useState(null);
  useEffect(() => {
    if (!file) return setAddress(null);
    const made = URL.createObjectURL(file);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return address;
}

/** A form that shows, uploads and deletes a record's picture. */
export default function PictureForm({ record, resource, action }) {
  const { tb, tc, tl, tm } = useTranslation();
  const notify = useNotice();
  const [view, setView] = useState(null);
  const [file, setFile] = useState(null);
  const [fault, setFault] = useState(null);
  const [busy, setBusy] = useState(false);
  const preview = usePreview(file);
  const request = { resourceId: resource.id, recordId: record.id, actionName: action.name };

  const send = async (data) => {
    setBusy(true);
    try {
      const { data: answer } = await api.recordAction({ ...request, ...(data && { data }) });
      const refused = answer.record?.errors?.img?.message;
      setFault(refused ?? null);
      if (answer.notice && !refused) notify({ ...answer.notice, resourceId: resource.id });
      if (answer.view) {
        setView(answer.view);
        setFile(null);
      }
    } catch {
      notify({ message: 'failed', type: 'error' });
    }
    setBusy(false);
  };
  useEffect(() => void send(), []);

  const choose = ({ target }) => {
    const [chosen] = target.files;
    const tooLarge = chosen && chosen.size > LARGEST;
    setFault(tooLarge ? tc('Picture.tooLarge') : null);
    setFile(tooLarge ? null : (chosen ?? null));
  };
  const save = (event) => {
    event.preventDefault();
    if (!file) return setFault(tc('Picture.missing'));
    const form = new FormData();
    form.append('img', file);
    void send(form);
  };
  const remove = async () => {
    if (await ask({ question: tc('Picture.removeSure'), yes: tc('Picture.remove'), no: tb('cancel'), danger: true })) {
      await send({ remove: true });
    }
  };

  if (!view) return <p className="gt-panel gt-pairing">{tl('loading')}</p>;
  const shown = preview ?? view.src;
  return (
    <form className="gt-panel gt-pairing" onSubmit={save} noValidate>
      <h2>{record.title}</h2>
      {shown ? (
        <img className="gt-picture" src={shown} alt={preview ? tc('Picture.preview') : record.title} />
      ) : (
        <p className="gt-lead">{tc('Picture.none')}</p>
      )}
      <div className={`gt-field${fault ? ' gt-field-bad' : ''}`}>
        <label htmlFor="img">{tc('Picture.file')}</label>
        <input
          id="img"
          name="img"
          key={view.src ?? 'none'}
          type="file"
          accept="image/jpeg,image/png,image/webp,image/gif,image/avif"
          aria-invalid={fault ? true : undefined}
          aria-describedby={fault ? 'img-error' : 'img-help'}
          onChange={choose}
        />
        <p className="gt-help" id="img-help">
          {tc('Picture.help')}
        </p>
        {fault ? (
          <p className="gt-fault" id="img-error">
            {tm(fault, resource.id)}
          </p>
        ) : null}
      </div>
      <div className="gt-header-actions">
        <button type="submit" className="gt-button" disabled={busy}>
          {tb('save')}
        </button>
        {view.src ? (
          <button type="button" className="gt-button gt-button-danger-quiet" disabled={busy} onClick={() => void remove()}>
            {tc('Picture.remove')}
          </button>
        ) : null}
        <Link to={actionAddress({ name: 'show', actionType: 'record' }, resource.id, record.id)} className="gt-button gt-button-quiet">
          {tc('Reveal.back')}
        </Link>
      </div>
    </form>
  );
}
