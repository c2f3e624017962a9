import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'adminjs';
import { Link } from 'react-router-dom';
import type { RevealView } from '../../actions/reveal.js';
import { recordAddress } from '../shared/actions.js';
import { Copy } from '../shared/Copy.js';
import { addressOf, call, useFailed, type ActionAddress, type RecordPage } from '../page/view.js';

/**
 * Fetches the secret once: GET only answers whether there is one, POST takes it.
 * @returns null while loading
 */
function useSecret(address: ActionAddress): RevealView | null {
  const failed = useFailed();
  const [view, setView] = useState<RevealView | null>(null);
  const asked = useRef(false);
  useEffect(() => {
    if (asked.current) return;
    asked.current = true;
    const take = async (): Promise<void> => {
      const { view: first } = await call<RevealView>(address);
      setView(first?.state === 'ready' ? (await call<RevealView>(address, { data: {} })).view : first);
    };
    take().catch(failed);
  }, []);
  return view;
}

/** Shows a new API key or password once, with a copy button. */
export default function Reveal({ record, resource, action }: RecordPage) {
  const { tc, tl, tm } = useTranslation();
  const view = useSecret(addressOf({ record, resource, action }));
  if (!view) return <p className="gt-panel gt-pairing">{tl('loading')}</p>;
  return (
    <section className="gt-panel gt-pairing">
      <h2>{record.title}</h2>
      {view.state === 'shown' ? (
        <>
          <p className="gt-lead">{tm('revealLead', resource.id)}</p>
          <Copy label={tc('Reveal.label')} text={view.text} />
        </>
      ) : (
        <p className="gt-lead">{tm('revealGone', resource.id)}</p>
      )}
      <Link to={recordAddress(resource.id, record.id)} className={view.state === 'shown' ? 'gt-button' : 'gt-button gt-button-quiet'}>
        {view.state === 'shown' ? tc('Reveal.done') : tc('Reveal.back')}
      </Link>
    </section>
  );
}
