import { useTranslation } from 'adminjs';
import { Link } from 'react-router-dom';
import { Badge } from '#panel-kit/components/shared/Badge.js';
import { money } from '#panel-kit/components/shared/numbers.js';
import { longDay, timeOf } from '#panel-kit/components/shared/times.js';
import type { StartPageView } from '../../start-page/start-page.js';

const percent = (part: number, whole: number): number => (whole > 0 ? Math.min(100, Math.round((part / whole) * 100)) : 0);

type Event = StartPageView['events'][number];

function stateOf(event: Event, now: number): 'upcoming' | 'running' | 'over' {
  if (now < Date.parse(event.startsAt)) return 'upcoming';
  return now > Date.parse(event.overAt) ? 'over' : 'running';
}

const STATE_TONES = { upcoming: 'info', running: 'good', over: 'quiet' } as const;

function Room({ event, state }: { readonly event: Event; readonly state: ReturnType<typeof stateOf> }) {
  const { tc } = useTranslation();
  const whole = event.capacity ?? event.sold;
  const text = tc('Tonight.insideOf', { inside: event.inside, sold: event.sold });
  const free = event.capacity === null ? null : Math.max(0, event.capacity - event.sold);
  const own = free === null ? null : free === 0 ? tc('Tonight.full') : tc('Tonight.free', { count: free });
  return (
    <>
      <p className="gt-inside">
        <strong>{state === 'over' ? event.admitted : event.inside}</strong> {tc(state === 'over' ? 'Tonight.cameIn' : 'Tonight.inside')}
      </p>
      <div className="gt-bar" role="img" aria-label={text}>
        <span className="gt-bar-sold" style={{ width: `${percent(event.sold, whole)}%` }} />
        <span className="gt-bar-inside" style={{ width: `${percent(event.inside, whole)}%` }} />
      </div>
      <p className="gt-small">{[tc('Tonight.sold', { count: event.sold }), event.sharedLeft ?? own].filter(Boolean).join(' · ')}</p>
    </>
  );
}

/** What was paid, by way to pay; leads to the payments. */
function Taken({ takings: { sum, parts, href } }: { readonly takings: NonNullable<Event['takings']> }) {
  const { tc } = useTranslation();
  const words = tc('Tonight.taken', { amount: money(sum) });
  return (
    <p className="gt-small">
      <Link to={href}>{words}</Link>
      {parts.map(({ label, sum: part }) => ` · ${label} ${money(part)}`)}
    </p>
  );
}

/** Why visitors cannot book it; leads to where that is changed. */
function Unbookable({ note }: { readonly note: NonNullable<Event['unbookable']> }) {
  return (
    <p className="gt-stale">
      <Link to={note.href}>{note.text}</Link>
    </p>
  );
}

function EventCard({ event, now }: { readonly event: Event; readonly now: number }) {
  const { tc } = useTranslation();
  const state = stateOf(event, now);
  const times = [event.startsAt, event.endsAt]
    .filter((at) => at !== null)
    .map(timeOf)
    .join(' – ');
  return (
    <li className="gt-panel gt-event">
      <p className="gt-event-time">
        {times} <Badge tone={STATE_TONES[state]}>{tc(`Tonight.${state}`, { time: timeOf(event.startsAt) })}</Badge>
      </p>
      <h3>{event.href ? <Link to={event.href}>{event.name}</Link> : event.name}</h3>
      {event.place ? <p className="gt-small">{event.place}</p> : null}
      {event.unbookable ? <Unbookable note={event.unbookable} /> : null}
      <Room event={event} state={state} />
      {event.takings ? <Taken takings={event.takings} /> : null}
      {event.sellHref || event.doorHref ? (
        <p className="gt-header-actions">
          {event.doorHref ? (
            <Link to={event.doorHref} className="gt-button gt-button-quiet gt-button-small">
              {tc('Door.open')}
            </Link>
          ) : null}
          {event.sellHref ? (
            <Link to={event.sellHref} className="gt-button gt-button-quiet gt-button-small">
              {tc('Tonight.sell')}
            </Link>
          ) : null}
        </p>
      ) : null}
    </li>
  );
}

/** Today's events with their numbers of sold and scanned tickets. */
export function TonightEvents({ view }: { readonly view: StartPageView }) {
  const { tc } = useTranslation();
  const now = Date.parse(view.now);
  const nextWords = ({ name, startsAt }: { readonly name: string; readonly startsAt: string }): string =>
    tc('Tonight.next', { name, when: `${longDay(startsAt)}, ${timeOf(startsAt)}` });
  return (
    <section aria-labelledby="tonight-events">
      <h2 id="tonight-events">
        {tc('Tonight.events')} <span className="gt-small">{longDay(view.now)}</span>
      </h2>
      {view.events.length === 0 ? (
        <div className="gt-panel gt-nothing">
          <p>{tc('Tonight.noEvents')}</p>
          {view.next ? <p>{view.next.href ? <Link to={view.next.href}>{nextWords(view.next)}</Link> : nextWords(view.next)}</p> : null}
          {view.next?.unbookable ? <Unbookable note={view.next.unbookable} /> : null}
        </div>
      ) : (
        <ul className="gt-events">
          {view.events.map((event) => (
            <EventCard key={event.id} event={event} now={now} />
          ))}
        </ul>
      )}
    </section>
  );
}
