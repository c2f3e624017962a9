import { useTranslation } from 'adminjs';
import { Link } from 'react-router-dom';
import { timeOf } from '#panel-kit/components/shared/times.js';
import type { DoorBoard, DoorLinks } from './board.js';

const percent = (part: number, whole: number): number => (whole > 0 ? Math.min(100, Math.round((part / whole) * 100)) : 0);

function Forecast({ forecast, event }: Pick<DoorBoard, 'forecast' | 'event'>) {
  const { tc } = useTranslation();
  const time = timeOf(forecast.state === 'at' ? forecast.at : event.endsAt);
  return <p className="gt-forecast">{tc(`DoorForecast.${forecast.state}`, { time })}</p>;
}

/** People inside, admitted and expected, with the forecast; a warning when double entries wait for a decision. */
export function DoorNumbers({ board, links }: { readonly board: DoorBoard; readonly links: DoorLinks }) {
  const { tc } = useTranslation();
  const { inside, admitted, expected, undecided } = board;
  return (
    <>
      {undecided > 0 ? (
        <p className="gt-stale gt-undecided">
          {links.undecided ? (
            <Link to={links.undecided}>{tc('Door.undecided', { count: undecided })}</Link>
          ) : (
            tc('Door.undecided', { count: undecided })
          )}
        </p>
      ) : null}
      <section className="gt-panel gt-door-numbers" aria-label={tc('Door.people')}>
        <p className="gt-door-inside">
          <strong>{inside}</strong> {tc('Door.inside')}
        </p>
        <p>
          <strong>{admitted}</strong> {tc('Door.admitted')}
        </p>
        <p>
          <strong>{Math.max(0, expected - admitted)}</strong> {tc('Door.missing')}
        </p>
        <p>
          <strong>{expected}</strong> {tc('Door.expected')}
        </p>
        <div className="gt-bar" role="img" aria-label={tc('Door.admittedOf', { admitted, expected })}>
          <span className="gt-bar-sold" style={{ width: `${percent(admitted, expected)}%` }} />
          <span className="gt-bar-inside" style={{ width: `${percent(inside, expected)}%` }} />
        </div>
        <Forecast forecast={board.forecast} event={board.event} />
      </section>
    </>
  );
}
