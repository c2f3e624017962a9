import { useTranslation } from 'adminjs';
import { Icon, Loader } from '@adminjs/design-system';
import { useLocation, useNavigate } from 'react-router';
import { Link } from 'react-router-dom';
import { Segments } from '#panel-kit/components/forms/FormField.js';
import { Pager } from '#panel-kit/components/list/Pager.js';
import { useRootPath } from '#panel-kit/components/page/props.js';
import { dayAndSeconds, fullMoment } from '#panel-kit/components/shared/times.js';
import { addressOf, useView, type ResourcePage } from '#panel-kit/components/page/view.js';
import type { GuestListView } from '../../guest-list/guest-list.page.js';
import { EventSelect } from '../door-page/EventSelect.js';

type ShownView = Extract<GuestListView, { page: number }>;
type Guest = ShownView['parties'][number]['guests'][number];

/** A sale without a name is called by its number. */
function Name({ guest: { firstName, lastName, reference } }: { readonly guest: Guest }) {
  if (!firstName && !lastName) return <span className="gt-absent">№ {reference}</span>;
  return (
    <>
      <strong>{lastName}</strong> {firstName}
    </>
  );
}

/** Tickets that belong together, which a printed page does not divide. */
function Party({ guests }: { readonly guests: readonly Guest[] }) {
  const { tc } = useTranslation();
  return (
    <tbody className={guests.length > 1 ? 'gt-party' : undefined}>
      {guests.map((guest, index) => (
        <tr key={guest.id}>
          <td className="gt-tick">
            <span aria-hidden="true" />
          </td>
          <th scope="row">
            <Name guest={guest} />
            {guests.length > 1 ? <span className="gt-small"> {tc('Guests.of', { number: index + 1, count: guests.length })}</span> : null}
          </th>
          <td>{guest.product}</td>
          <td className={['inside', 'toPay'].includes(guest.state) ? 'gt-guest-strong' : undefined}>{tc(`Guests.${guest.state}`)}</td>
          <td className="gt-code">{guest.reference}</td>
        </tr>
      ))}
    </tbody>
  );
}

/** What the page shows, and the button that prints it; not printed. */
function Controls({ view, change }: { readonly view: ShownView; readonly change: (wanted: Readonly<Record<string, string>>) => void }) {
  const { tc } = useTranslation();
  return (
    <div className="gt-guest-controls">
      <EventSelect events={view.events} eventId={view.event.id} />
      <Segments
        name="only"
        label={tc('Guests.show')}
        options={[
          { value: 'all', label: tc('Guests.everybody') },
          { value: 'inside', label: tc('Guests.onlyInside') },
        ]}
        value={view.onlyInside ? 'inside' : 'all'}
        onChange={(only) => change({ only, page: '1' })}
      />
      <button type="button" className="gt-button" onClick={() => window.print()}>
        <Icon icon="Printer" size={16} /> {tc('Guests.print')}
      </button>
      {view.pages > 1 ? <p className="gt-help">{tc('Guests.printEach', { pages: view.pages })}</p> : null}
    </div>
  );
}

/** The guest list of an event, from A to Z, for the browser to print on A4. */
export default function GuestList(page: ResourcePage) {
  const { tc } = useTranslation();
  const navigate = useNavigate();
  const { search, pathname } = useLocation();
  const rootPath = useRootPath();
  const query = Object.fromEntries([...new URLSearchParams(search)].filter(([name]) => ['event', 'only', 'page'].includes(name)));
  const [view] = useView<GuestListView>(addressOf(page), query);
  if (!view) return <Loader />;
  if (!view.event) {
    return (
      <>
        <EventSelect events={view.events} eventId={null} />
        <p className="gt-panel gt-nothing">{tc(query['event'] ? 'Door.unknown' : 'Door.noEvents')}</p>
      </>
    );
  }
  const shown = { event: view.event.id, only: view.onlyInside ? 'inside' : 'all', page: String(view.page) };
  const change = (wanted: Readonly<Record<string, string>>): void =>
    navigate({ pathname, search: `?${new URLSearchParams({ ...shown, ...wanted })}` }, { replace: true });
  const { event, page: number, pages, total, inside, parties } = view;
  return (
    <div className="gt-guests">
      <Controls view={view} change={change} />
      <header>
        <h2>
          <Link to={`${rootPath}/resources/events/records/${event.id}/show`}>{event.name}</Link>
        </h2>
        <p>
          {fullMoment(event.startsAt)} · {tc(view.onlyInside ? 'Guests.countInside' : 'Guests.count', { count: total, inside })}
        </p>
        <p className="gt-small">
          {tc('Guests.asOf', { time: dayAndSeconds(view.at) })}
          {pages > 1 ? ` · ${tc('Guests.part', { page: number, pages })}` : ''}
        </p>
      </header>
      {parties.length === 0 ? (
        <p className="gt-panel gt-nothing">{tc('Guests.nobody')}</p>
      ) : (
        <table className="gt-guest-table">
          <caption className="gt-unseen">{tc('Guests.caption', { name: event.name })}</caption>
          <thead>
            <tr>
              <th scope="col" className="gt-tick">
                <span className="gt-unseen">{tc('Guests.tick')}</span>
              </th>
              {['name', 'product', 'state', 'reference'].map((column) => (
                <th key={column} scope="col">
                  {tc(`Guests.${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          {parties.map(({ id, guests }) => (
            <Party key={id} guests={guests} />
          ))}
        </table>
      )}
      <Pager page={number} perPage={view.perPage} total={total} onChange={(next) => change({ page: String(next) })} />
    </div>
  );
}
