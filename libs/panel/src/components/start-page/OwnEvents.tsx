import { useTranslation } from 'adminjs';
import { Link } from 'react-router-dom';
import { Badge } from '#panel-kit/components/shared/Badge.js';
import { dayAndTime, dayOf } from '#panel-kit/components/shared/times.js';
import type { OwnEvent, OwnFigures } from '../../start-page/start-page.js';

const [width, height] = [320, 84];
const momentOf = (day: string): number => Date.parse(`${day}T12:00:00Z`);

/** How many tickets were sold by each day, from the first sale on. */
function Curve({ curve, until }: { readonly curve: OwnFigures['curve']; readonly until: string }) {
  const { tc } = useTranslation();
  const [first, last] = [curve[0], curve.at(-1)];
  if (!first || !last) return null;
  const [from, to] = [momentOf(first.day), Math.max(momentOf(until.slice(0, 10)), momentOf(last.day))];
  const x = (day: string): number => (to > from ? Math.round(((momentOf(day) - from) / (to - from)) * width) : 0);
  const y = (sold: number): number => Math.round(height - 2 - (sold / last.sold) * (height - 6));
  // A step for each day with sales.
  const steps = curve.map(({ day, sold }) => `H${x(day)}V${y(sold)}`).join('');
  const path = `M0,${height - 2}${steps}H${width}`;
  return (
    <figure className="gt-curve">
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={tc('Own.curve', { count: last.sold })}>
        <path className="gt-curve-area" d={`${path}V${height}H0Z`} />
        <path className="gt-curve-line" d={path} />
      </svg>
      <figcaption className="gt-small">
        <span>{dayOf(first.day)}</span>
        <span>{dayOf(new Date(to).toISOString())}</span>
      </figcaption>
    </figure>
  );
}

function Figures({ event, figures, now }: { readonly event: OwnEvent; readonly figures: OwnFigures; readonly now: string }) {
  const { tc } = useTranslation();
  const { sold, capacity, admitted, inside, prices, curve } = figures;
  const free = capacity === null ? null : Math.max(0, capacity - sold);
  const came = event.isOver ? `${admitted} ${tc('Tonight.cameIn')}` : `${inside} ${tc('Tonight.inside')}`;
  const rest = free === null || event.isOver ? null : free === 0 ? tc('Tonight.full') : tc('Tonight.free', { count: free });
  return (
    <>
      <p className="gt-inside">
        <strong>{sold}</strong> {tc('Own.sold', { count: sold })}
      </p>
      <p className="gt-small">{[rest, admitted > 0 ? came : null].filter(Boolean).join(' · ')}</p>
      <Curve curve={curve} until={event.isOver ? event.startsAt : now} />
      {prices.length === 0 ? null : (
        <table className="gt-own-prices">
          <thead>
            <tr>
              <th scope="col">{tc('Own.price')}</th>
              <th scope="col">{tc('Own.tickets')}</th>
              <th scope="col">{tc('Own.came')}</th>
            </tr>
          </thead>
          <tbody>
            {prices.map((price, index) => (
              <tr key={index}>
                <th scope="row">{price.name}</th>
                <td>{price.sold}</td>
                <td>{price.admitted}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

/** The events of somebody whose right is about these alone. */
export function OwnEvents({ events, now }: { readonly events: readonly OwnEvent[]; readonly now: string }) {
  const { tc } = useTranslation();
  if (events.length === 0) {
    return (
      <div className="gt-panel gt-nothing">
        <p>{tc('Own.none')}</p>
      </div>
    );
  }
  return (
    <ul className="gt-events gt-own">
      {events.map((event) => (
        <li key={event.id} className="gt-panel gt-event">
          <p className="gt-event-time">
            <time dateTime={event.startsAt}>{dayAndTime(event.startsAt)}</time>
            {event.isOver ? <Badge tone="quiet">{tc('Tonight.over')}</Badge> : null}
          </p>
          <h2>
            <Link to={event.href}>{event.name}</Link>
          </h2>
          {event.place ? <p className="gt-small">{event.place}</p> : null}
          {event.figures ? <Figures event={event} figures={event.figures} now={now} /> : null}
        </li>
      ))}
    </ul>
  );
}
