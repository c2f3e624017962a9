import { useState, type FormEvent, type InputHTMLAttributes } from 'react';
import { useTranslation } from 'adminjs';
import { Link } from 'react-router-dom';
import { ask } from '#panel-kit/components/page/confirm.js';
import { recordAddress } from '#panel-kit/components/shared/actions.js';
import { addressOf, faultsIn, useSend, useView, type Faults, type RecordPage } from '#panel-kit/components/page/view.js';
import type { GalleryView } from '../../forms/gallery.action.js';

const LARGEST = 10 * 1024 * 1024;
/** A text field with its help or fault. */
function TextField({
  id,
  label,
  help,
  fault,
  ...input
}: InputHTMLAttributes<HTMLInputElement> & {
  readonly id: string;
  readonly label: string;
  readonly help?: string;
  readonly fault: string | undefined;
}) {
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

/** A change of one picture of the gallery. */
interface Change {
  readonly picture: string;
  readonly change?: 'up' | 'remove';
  readonly alternative?: FormDataEntryValue | null;
}

/** One picture of the gallery with its text and buttons. */
function GalleryItem({
  picture,
  isFirst,
  busy,
  fault,
  send,
}: {
  readonly picture: GalleryView['pictures'][number];
  readonly isFirst: boolean;
  readonly busy: boolean;
  readonly fault: string | undefined;
  readonly send: (change: Change) => Promise<void>;
}) {
  const { tb, tc } = useTranslation();
  const change = (kind: 'up' | 'remove'): void => void send({ picture: picture.id, change: kind });
  const describe = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    void send({ picture: picture.id, alternative: new FormData(event.currentTarget).get('alternative') });
  };
  const remove = async (): Promise<void> => {
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
function NewPicture({
  busy,
  faults,
  send,
}: {
  readonly busy: boolean;
  readonly faults: Faults;
  readonly send: (form: FormData, known?: Faults) => Promise<void>;
}) {
  const { tb, tc } = useTranslation();
  const add = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const img = form.get('img');
    const size = img instanceof File ? img.size : 0;
    const fault = size === 0 ? 'Picture.missing' : size > LARGEST ? 'Picture.tooLarge' : undefined;
    void send(form, fault === undefined ? undefined : { img: tc(fault) });
  };
  return (
    <form onSubmit={add} noValidate>
      <h3>{tc('Gallery.add')}</h3>
      <div className={`gt-field${faults['img'] ? ' gt-field-bad' : ''}`}>
        <label htmlFor="img">{tc('Picture.file')}</label>
        <input
          id="img"
          name="img"
          type="file"
          accept="image/jpeg,image/png,image/webp,image/gif,image/avif"
          aria-invalid={faults['img'] ? true : undefined}
          aria-describedby="img-note"
        />
        <p className={faults['img'] ? 'gt-fault' : 'gt-help'} id="img-note">
          {faults['img'] ?? tc('Picture.help')}
        </p>
      </div>
      <TextField id="alternative" label={tc('Gallery.alternative')} help={tc('Gallery.alternativeHelp')} fault={faults['alternative']} />
      <div className="gt-header-actions">
        <button type="submit" className="gt-button" disabled={busy}>
          {tb('save')}
        </button>
      </div>
    </form>
  );
}

/** The pictures of a gallery: add, describe, move and delete. */
export default function GalleryForm({ record, resource, action }: RecordPage) {
  const { tc, tl, tm } = useTranslation();
  const address = addressOf({ record, resource, action });
  const [view, setView] = useView<GalleryView>(address);
  const [faults, setFaults] = useState<Faults>({});
  /** The picture of the gallery that the faults are about. */
  const [about, setAbout] = useState<string>();
  const [changes, setChanges] = useState(0);
  const { busy, send: request } = useSend(resource.id, false);
  /** Sends a change, unless its faults are known before. */
  const send = async (data: FormData | Change, known?: Faults): Promise<void> => {
    if (known) {
      setAbout(undefined);
      setFaults(known);
      return;
    }
    const answer = await request<GalleryView>(address, data);
    if (!answer) return;
    setAbout(data instanceof FormData ? undefined : data.picture);
    setFaults(Object.fromEntries(Object.entries(faultsIn(answer)).map(([name, message]) => [name, tm(message, resource.id)])));
    if (answer.view) {
      setView(answer.view);
      setChanges(changes + 1);
    }
  };
  if (!view) return <p className="gt-panel gt-pairing">{tl('loading')}</p>;
  const own = about === undefined ? faults : {};
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
            fault={about === picture.id ? faults['alternative'] : undefined}
            send={send}
          />
        ))}
      </ol>
      {view.isFull ? <p>{tc('Gallery.full')}</p> : <NewPicture key={changes} busy={busy} faults={own} send={send} />}
      <p>
        <Link to={recordAddress(resource.id, record.id)} className="gt-button gt-button-quiet">
          {tc('Reveal.back')}
        </Link>
      </p>
    </section>
  );
}
