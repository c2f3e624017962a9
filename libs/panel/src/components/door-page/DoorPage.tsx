import { useTranslation } from 'adminjs';
import { Loader } from '@adminjs/design-system';
import { useLocation } from 'react-router';
import { Link } from 'react-router-dom';
import { Freshness } from '#panel-kit/components/list/Freshness.js';
import { usePolling } from '#panel-kit/components/shared/polling.js';
import { DoorDevices } from './DoorDevices.js';
import { DoorGates } from './DoorGates.js';
import { DoorLeases } from './DoorLeases.js';
import { DoorNumbers } from './DoorNumbers.js';
import { DoorRefusals } from './DoorRefusals.js';
import { EventSelect } from './EventSelect.js';
import { addressOf, call, useView, type ActionAddress, type ResourcePage } from '#panel-kit/components/page/view.js';
import type { DoorNumbersNow, DoorView } from '../../door-page/door.page.js';
import type { DoorBoard } from './board.js';

const EVERY = 3000;

/** The numbers of one event. Reads them again every few seconds while the page is visible. */
function Live({ view, address }: { readonly view: Extract<DoorView, { eventId: string }>; readonly address: ActionAddress }) {
  const { tc } = useTranslation();
  const { eventId, links } = view;
  const params = { event: eventId, part: 'now' };
  const now = async (): Promise<DoorBoard | null> => (await call<DoorNumbersNow>(address, { params })).view?.board ?? null;
  const { value, failed, at, reload } = usePolling(now, EVERY);
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
        <DoorDevices board={board} links={links} reload={reload} />
        <DoorRefusals board={board} links={links} />
        <DoorLeases board={board} links={links} />
      </div>
      <p className="gt-small">{tc('Door.how')}</p>
    </>
  );
}

/** The live page of the door: people, gates, pace and forecast of one event. */
export default function DoorPage(page: ResourcePage) {
  const { tc } = useTranslation();
  const { search } = useLocation();
  const wanted = new URLSearchParams(search).get('event');
  const address = addressOf(page);
  const [view] = useView<DoorView>(address, wanted ? { event: wanted } : undefined);
  if (!view) return <Loader />;
  return (
    <div className="gt-door">
      <EventSelect events={view.events} eventId={view.eventId} />
      {view.board ? (
        <Live key={view.eventId} view={view} address={address} />
      ) : (
        <p className="gt-panel gt-nothing">{tc(wanted ? 'Door.unknown' : 'Door.noEvents')}</p>
      )}
    </div>
  );
}
