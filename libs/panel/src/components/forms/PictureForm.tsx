import { useEffect, useState, type ChangeEvent, type FormEvent } from 'react';
import { useTranslation } from 'adminjs';
import { Link } from 'react-router-dom';
import { ask } from '#panel-kit/components/page/confirm.js';
import { recordAddress } from '#panel-kit/components/shared/actions.js';
import { addressOf, faultsIn, useSend, useView, type RecordPage } from '#panel-kit/components/page/view.js';
import type { PictureView } from '../../forms/picture.action.js';

const LARGEST = 10 * 1024 * 1024;
/** A preview URL of the chosen file. */
function usePreview(file: File | null): string | null {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (!file) {
      setAddress(null);
      return undefined;
    }
    const made = URL.createObjectURL(file);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return address;
}

/** A form that shows, uploads and deletes a record's picture. */
export default function PictureForm({ record, resource, action }: RecordPage) {
  const { tb, tc, tl, tm } = useTranslation();
  const [file, setFile] = useState<File | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const preview = usePreview(file);
  const address = addressOf({ record, resource, action });
  const [view, setView] = useView<PictureView>(address);
  const { busy, send } = useSend(resource.id, false);
  const change = async (data: unknown): Promise<void> => {
    const answer = await send<PictureView>(address, data);
    if (!answer) return;
    setFault(faultsIn(answer)['img'] ?? null);
    if (answer.view) {
      setView(answer.view);
      setFile(null);
    }
  };
  const choose = ({ target }: ChangeEvent<HTMLInputElement>): void => {
    const chosen = target.files?.[0] ?? null;
    const tooLarge = chosen !== null && chosen.size > LARGEST;
    setFault(tooLarge ? tc('Picture.tooLarge') : null);
    setFile(tooLarge ? null : chosen);
  };
  const save = (event: FormEvent): void => {
    event.preventDefault();
    if (!file) {
      setFault(tc('Picture.missing'));
      return;
    }
    const form = new FormData();
    form.append('img', file);
    void change(form);
  };
  const remove = async (): Promise<void> => {
    if (await ask({ question: tc('Picture.removeSure'), yes: tc('Picture.remove'), no: tb('cancel'), danger: true })) {
      await change({ remove: true });
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
        <Link to={recordAddress(resource.id, record.id)} className="gt-button gt-button-quiet">
          {tc('Reveal.back')}
        </Link>
      </div>
    </form>
  );
}
