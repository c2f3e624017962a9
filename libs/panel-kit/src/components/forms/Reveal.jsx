import React, { useEffect, useRef, useState } from 'react';
import { ApiClient, useNotice, useTranslation } from 'adminjs';
import { Link } from 'react-router-dom';
import { actionAddress } from '../shared/actions.js';
import { Copy } from '../shared/Copy.jsx';

const api = new ApiClient();

/**
 * Fetches the secret once: GET only answers whether there is one, POST takes it.
 * @returns {{ state: 'shown' | 'gone', text?: string } | null} null while loading
 */
function useSecret(request) {
  const notify = useNotice();
  const [view, setView] = useState(null);
  const asked = useRef(false);
  useEffect(() => {
    if (asked.current) return;
    asked.current = true;
    const take = async () => {
      const { data } = await api.recordAction(request);
      setView(data.view?.state === 'ready' ? (await api.recordAction({ ...request, data: {} })).data.view : data.view);
    };
    take().catch(() => notify({ message: 'failed', type: 'error' }));
  }, []);
  return view;
}

/** Shows a new API key or password once, with a copy button. */
export default function Reveal({ record, resource, action }) {
  const { tc, tl, tm } = useTranslation();
  const view = useSecret({ resourceId: resource.id, recordId: record.id, actionName: action.name });
  const back = actionAddress({ name: 'show', actionType: 'record' }, resource.id, record.id);
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
      <Link to={back} className={view.state === 'shown' ? 'gt-button' : 'gt-button gt-button-quiet'}>
        {view.state === 'shown' ? tc('Reveal.done') : tc('Reveal.back')}
      </Link>
    </section>
  );
}
