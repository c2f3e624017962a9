import React, { useEffect, useState } from 'react';
import { ApiClient, useNotice, useTranslation } from 'adminjs';
import { Link } from 'react-router-dom';
import { actionAddress } from '#panel-kit/components/shared/actions.js';
import { ask } from '#panel-kit/components/frame/confirm.js';

const LARGEST = 10 * 1024 * 1024;
const api = new ApiClient();

/** A text field with its help or fault. */
function TextField({ id, label, help, fault, ...input }) {
  return (
    <div className={`gt-field${fault ? ' gt-field-bad' : ''}`}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        name="alternative"
        type="text"
        maxLength={300}
        aria-invalid={fault ? true : undefined}
        aria-describedby={fault || help ? `${id}-note` : undefined}
        {...input}
      />
      {fault || help ? (
        <p className={fault ? 'gt-fault' : 'gt-help'} id={`${id}-note`}>
          {fault ?? help}
        </p>
      ) : null}
    </div>
  );
}

/** One picture of the gallery with its text and buttons. */
function GalleryItem({ picture, isFirst, busy, fault, send }) {
  const { tb, tc } = useTranslation();
  const change = (kind) => void send({ picture: picture.id, change: kind });
  const describe = (event) => {
    event.preventDefault();
    void send({ picture: picture.id, alternative: new FormData(event.target).get('alternative') });
  };
  const remove = async () => {
    if (await ask({ question: tc('Picture.removeSure'), yes: tc('Picture.remove'), no: tb('cancel'), danger: true })) change('remove');
  };
  return (
    <li>
      <form onSubmit={describe} noValidate>
        <img className="gt-picture" src={picture.src} alt={picture.alternative} />
        <TextField id={`text-${picture.id}`} label={tc('Gallery.alternative')} defaultValue={picture.alternative} fault={fault} />
        <div className="gt-header-actions">
          <button type="submit" className="gt-button gt-button-quiet" disabled={busy}>
            {tc('Gallery.describe')}
          </button>
          {isFirst ? null : (
            <button type="button" className="gt-button gt-button-quiet" disabled={busy} onClick={() => change('up')}>
              {tc('Gallery.up')}
            </button>
          )}
          <button type="button" className="gt-button gt-button-danger-quiet" disabled={busy} onClick={() => void remove()}>
            {tc('Picture.remove')}
          </button>
        </div>
      </form>
    </li>
  );
}

/** The form that adds a picture; it is empty again after each one. */
function NewPicture({ busy, faults, send }) {
  const { tb, tc } = useTranslation();
  const add = (event) => {
    event.preventDefault();
    const form = new FormData(event.target);
    const { size = 0 } = form.get('img') ?? {};
    const fault = size === 0 ? 'Picture.missing' : size > LARGEST ? 'Picture.tooLarge' : undefined;
    void send(form, fault && { img: tc(fault) });
  };
  return (
    <form onSubmit={add} noValidate>
      <h3>{tc('Gallery.add')}</h3>
      <div className={`gt-field${faults.img ? ' gt-field-bad' : ''}`}>
        <label htmlFor="img">{tc('Picture.file')}</label>
        <input
          id="img"
          name="img"
          type="file"
          accept="image/jpeg,image/png,image/webp,image/gif,image/avif"
          aria-invalid={faults.img ? true : undefined}
          aria-describedby="img-note"
        />
        <p className={faults.img ? 'gt-fault' : 'gt-help'} id="img-note">
          {faults.img ?? tc('Picture.help')}
        </p>
      </div>
      <TextField id="alternative" label={tc('Gallery.alternative')} help={tc('Gallery.alternativeHelp')} fault={faults.alternative} />
      <div className="gt-header-actions">
        <button type="submit" className="gt-button" disabled={busy}>
          {tb('save')}
        </button>
      </div>
    </form>
  );
}

/** The pictures of a gallery: add, describe, move and delete. */
export default function GalleryForm({ record, resource, action }) {
  const { tc, tl, tm } = useTranslation();
  const notify = useNotice();
  const [view, setView] = useState(null);
  const [faults, setFaults] = useState({});
  const [busy, setBusy] = useState(false);
  const request = { resourceId: resource.id, recordId: record.id, actionName: action.name };

  /** Sends a change, unless its faults are known before. `about`: the picture of the gallery that is changed. */
  const send = async (data, known) => {
    const about = data?.picture;
    if (known) {
      setFaults(known);
      return;
    }
    setBusy(true);
    try {
      const { data: answer } = await api.recordAction({ ...request, ...(data && { data }) });
      const errors = Object.entries(answer.record?.errors ?? {});
      setFaults({ about, ...Object.fromEntries(errors.map(([name, { message }]) => [name, tm(message, resource.id)])) });
      if (answer.notice && errors.length === 0) notify({ ...answer.notice, resourceId: resource.id });
      if (answer.view) setView({ ...answer.view, changes: (view?.changes ?? 0) + 1 });
    } catch {
      notify({ message: 'failed', type: 'error' });
    }
    setBusy(false);
  };
  useEffect(() => void send(), []);

  if (!view) return <p className="gt-panel gt-pairing">{tl('loading')}</p>;
  const own = faults.about === undefined ? faults : {};
  return (
    <section className="gt-panel gt-pairing">
      <h2>{record.title}</h2>
      <p className="gt-lead">{tc(view.pictures.length > 0 ? 'Gallery.lead' : 'Gallery.none')}</p>
      <ol className="gt-gallery">
        {view.pictures.map((picture, index) => (
          <GalleryItem
            key={picture.id}
            picture={picture}
            isFirst={index === 0}
            busy={busy}
            fault={faults.about === picture.id ? faults.alternative : undefined}
            send={send}
          />
        ))}
      </ol>
      {view.isFull ? <p>{tc('Gallery.full')}</p> : <NewPicture key={view.changes} busy={busy} faults={own} send={send} />}
      <p>
        <Link to={actionAddress({ name: 'show', actionType: 'record' }, resource.id, record.id)} className="gt-button gt-button-quiet">
          {tc('Reveal.back')}
        </Link>
      </p>
    </section>
  );
}
