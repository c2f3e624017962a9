import React from 'react';
import { ApiClient, useTranslation } from 'adminjs';
import { Link } from 'react-router-dom';
import { actionAddress } from '#panel-kit/components/shared/actions.js';
import { Copy } from '#panel-kit/components/shared/Copy.jsx';
import { usePolling } from '#panel-kit/components/shared/polling.js';
import { dayAndTime } from '#panel-kit/components/shared/times.js';
import { GuideLink } from './GuideLink.jsx';

const EVERY = 5000;
const SHOW = { name: 'show', actionType: 'record' };
const api = new ApiClient();

/** The phones that used the code, the newest first. */
function Devices({ devices }) {
  const { tc } = useTranslation();
  if (devices.length === 0) return <p className="gt-absent">{tc('TeamCode.nobody')}</p>;
  return (
    <ul className="gt-related">
      {devices.toReversed().map(({ id, name, state, at }) => (
        <li key={id}>
          <span className="gt-related-title">
            <Link to={actionAddress(SHOW, 'devices', id)}>{name}</Link>
          </span>
          <span className="gt-small">
            {at ? <time dateTime={at}>{dayAndTime(at)}</time> : null}
            {state === 'paired' ? '' : ` · ${tc(`TeamCode.${state}`)}`}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Open({ view }) {
  const { tc } = useTranslation();
  const { code, picture, address, expiresAt, places, taken, devices } = view;
  return (
    <>
      <p className="gt-lead">{tc('TeamCode.how')}</p>
      <img className="gt-qr" src={picture} alt={tc('TeamCode.picture')} />
      <p className="gt-typed-code">{code}</p>
      <p>{tc('TeamCode.until', { time: dayAndTime(expiresAt) })}</p>
      <Copy label={tc('Pairing.door')} text={address} />
      <GuideLink />
      <h3>{tc('TeamCode.taken', { taken, places })}</h3>
      <Devices devices={devices} />
    </>
  );
}

/** A team code, large enough to scan from a distance, with the phones that used it. Polls, so that they appear as they come. */
export default function TeamCode({ record, resource, action }) {
  const { tc, tl } = useTranslation();
  const request = { resourceId: resource.id, recordId: record.id, actionName: action.name };
  const { value: view } = usePolling(async () => (await api.recordAction(request)).data.view, EVERY);
  return (
    <section className="gt-panel gt-pairing gt-team-code" aria-live="polite">
      <h2>{record.title}</h2>
      {view ? view.state === 'open' ? <Open view={view} /> : <p className="gt-lead">{tc('TeamCode.over')}</p> : <p>{tl('loading')}</p>}
    </section>
  );
}
