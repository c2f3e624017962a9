import { useTranslation } from 'adminjs';
import { Link } from 'react-router-dom';
import { dayAndTime } from '#panel-kit/components/shared/times.js';
import type { StartPageView } from '../../start-page/start-page.js';

/** The upcoming events, for a tenant without scanning. */
export function ComingEvents({ events }: { readonly events: StartPageView['events'] }) {
  const { tc } = useTranslation();
  return (
    <section aria-labelledby="coming-events">
      <h2 id="coming-events">{tc('Tonight.coming')}</h2>
      {events.length === 0 ? (
        <div className="gt-panel gt-nothing">
          <p>{tc('Tonight.noComing')}</p>
        </div>
      ) : (
        <ol className="gt-panel gt-scans">
          {events.map(({ id, name, startsAt, place, href }) => (
            <li key={id}>
              <span className="gt-scan-who">{href ? <Link to={href}>{name}</Link> : name}</span>
              <time className="gt-small" dateTime={startsAt}>
                {dayAndTime(startsAt)}
              </time>
              <span className="gt-small">{place}</span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
