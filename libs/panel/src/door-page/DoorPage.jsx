import React, { useEffect, useRef, useState } from 'react';
import { ApiClient, useNotice, useTranslation } from 'adminjs';
import { Loader } from '@adminjs/design-system';
import { useLocation } from 'react-router';
import { Link } from 'react-router-dom';
import { Freshness } from '#panel-kit/components/list/Freshness.jsx';
import { usePolling } from '#panel-kit/components/shared/polling.js';
import { DoorDevices } from './DoorDevices.jsx';
import { DoorGates } from './DoorGates.jsx';
import { DoorLeases } from './DoorLeases.jsx';
import { DoorNumbers } from './DoorNumbers.jsx';
import { DoorRefusals } from './DoorRefusals.jsx';
import { EventSelect } from './EventSelect.jsx';

const EVERY = 3000;
const api = new ApiClient();

/** The numbers of one event. Reads them again every few seconds while the page is visible. */
function Live({ view, request }) {
  const { tc } = useTranslation();
  const { eventId, links } = view;
  const params = { event: eventId, part: 'now' };
  const { value, failed, at, reload } = usePolling(async () => (await api.resourceAction({ ...request, params })).data.view.board, EVERY);
  const board = value ?? view.board;
  return (
    <>
      <header className="gt-header-line">
        <h2>
          <Link to={links.event}>{board.event.name}</Link>
        </h2>
        <Freshness at={at} failed={failed} reload={reload} />
      </header>
      <DoorNumbers board={board} links={links} />
      <DoorGates board={board} />
      <div className="gt-door-lists">
        <DoorDevices board={board} reload={reload} />
        <DoorRefusals board={board} links={links} />
        <DoorLeases board={board} />
      </div>
      <p className="gt-small">{tc('Door.how')}</p>
    </>
  );
}

/** The live page of the door: people, gates, pace and forecast of one event. */
export default function DoorPage({ resource, action }) {
  const { tc } = useTranslation();
  const notify = useNotice();
  const { search } = useLocation();
  const wanted = new URLSearchParams(search).get('event');
  const request = { resourceId: resource.id, actionName: action.name };
  const [view, setView] = useState(null);
  const latest = useRef(0);
  useEffect(() => {
    const turn = (latest.current += 1);
    api
      .resourceAction({ ...request, ...(wanted && { params: { event: wanted } }) })
      .then(({ data }) => turn === latest.current && setView(data.view))
      .catch(() => notify({ message: 'failed', type: 'error' }));
  }, [wanted]);
  if (!view) return <Loader />;
  return (
    <div className="gt-door">
      <EventSelect events={view.events} eventId={view.eventId} />
      {view.board ? (
        <Live key={view.eventId} view={view} request={request} />
      ) : (
        <p className="gt-panel gt-nothing">{tc(wanted ? 'Door.unknown' : 'Door.noEvents')}</p>
      )}
    </div>
  );
}
