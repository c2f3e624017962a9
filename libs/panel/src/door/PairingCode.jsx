import React from 'react';
import { ApiClient, useNotice, useTranslation } from 'adminjs';
import { ask } from '#panel-kit/components/frame/confirm.js';
import { Copy } from '#panel-kit/components/shared/Copy.jsx';
import { usePolling } from '#panel-kit/components/shared/polling.js';
import { dayAndTime } from '#panel-kit/components/shared/times.js';
import { GuideLink } from '../pairing/GuideLink.jsx';

const EVERY = 5000;
const api = new ApiClient();

function Open({ view }) {
  const { tc } = useTranslation();
  return (
    <>
      <p className="gt-lead">{tc('Pairing.how')}</p>
      <img className="gt-qr" src={view.picture} alt={tc('Pairing.picture')} />
      <p>{tc('Pairing.once', { time: dayAndTime(view.expiresAt) })}</p>
      <Copy label={tc('Pairing.door')} text={view.door} />
      <Copy label={tc('Pairing.address')} text={view.address} />
      <GuideLink />
    </>
  );
}

function Closed({ state }) {
  const { tc } = useTranslation();
  if (state !== 'spent') return <p className="gt-lead">{tc(`Pairing.${state}`)}</p>;
  return (
    <>
      <p className="gt-lead gt-good">✓ {tc('Pairing.spent')}</p>
      <p>{tc('Pairing.spentHow')}</p>
    </>
  );
}

/** A device's pairing code, large enough to scan from a distance. Polls, so that it shows when the code was used. */
export default function PairingCode({ record, resource, action }) {
  const { tb, tc, tl } = useTranslation();
  const notify = useNotice();
  const request = { resourceId: resource.id, recordId: record.id, actionName: action.name };
  const { value: view, reload } = usePolling(async () => (await api.recordAction(request)).data.view, EVERY);
  const renew = async () => {
    const question = tc('Pairing.renewSure');
    if (view?.state === 'spent' && !(await ask({ question, yes: tc('Pairing.renew'), no: tb('cancel'), danger: true }))) {
      return;
    }
    try {
      const { data } = await api.recordAction({ ...request, data: {} });
      if (data.notice) notify(data.notice);
    } catch {
      notify({ message: 'failed', type: 'error' });
    }
    await reload();
  };
  return (
    <section className="gt-panel gt-pairing" aria-live="polite">
      <h2>{tc('Pairing.title', { name: record.title })}</h2>
      {view ? view.state === 'open' ? <Open view={view} /> : <Closed state={view.state} /> : <p>{tl('loading')}</p>}
      {view ? (
        <button type="button" className={view.state === 'open' ? 'gt-button gt-button-quiet' : 'gt-button'} onClick={() => void renew()}>
          {tc('Pairing.renew')}
        </button>
      ) : null}
    </section>
  );
}
