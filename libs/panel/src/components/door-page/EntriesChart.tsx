import { useTranslation } from 'adminjs';
import { timeOf } from '#panel-kit/components/shared/times.js';

const HEIGHT = 40;
const MINUTE = 60_000;

/** The bars as one path: a chart has 120 of them, and is drawn again every few seconds. */
const barsOf = (entries: readonly number[], most: number): string =>
  entries
    .map((count, index) => {
      const height = (count / most) * HEIGHT;
      return count > 0 ? `M${index + 0.1} ${HEIGHT}v${-height}h0.8v${height}z` : '';
    })
    .join('');

/** Every half hour on the clock, with its place in percent. */
function ticksOf(now: string, length: number): { at: string; place: number }[] {
  const last = Math.floor(Date.parse(now) / MINUTE);
  const first = last - length + 1;
  const ticks = [];
  for (let minute = Math.ceil(first / 30) * 30; minute <= last; minute += 30) {
    ticks.push({ at: new Date(minute * MINUTE).toISOString(), place: ((minute - first) / length) * 100 });
  }
  return ticks;
}

/** What the charts of all gates share. */
export interface Scale {
  /** The count that is as high as the chart. */
  readonly most: number;
  readonly now: string;
}

/** Entries per minute up to now. */
export function EntriesChart({ entries, most, now, name }: Scale & { readonly entries: readonly number[]; readonly name: string }) {
  const { tc } = useTranslation();
  const count = entries.reduce((sum, each) => sum + each, 0);
  const label = tc('Door.chart', { name, count, most: Math.max(0, ...entries), minutes: entries.length });
  return (
    <figure className="gt-entries" role="img" aria-label={label}>
      <span className="gt-entries-most" aria-hidden="true">
        {tc('Door.perMinute', { count: most })}
      </span>
      <svg viewBox={`0 0 ${entries.length} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <path className="gt-entries-line" d={`M0 0.25H${entries.length}M0 ${HEIGHT / 2}H${entries.length}`} />
        <path className="gt-entries-bars" d={barsOf(entries, most)} />
      </svg>
      <span className="gt-entries-times" aria-hidden="true">
        {ticksOf(now, entries.length).map(({ at, place }) => (
          <time key={at} dateTime={at} style={{ left: `${place}%` }}>
            {timeOf(at)}
          </time>
        ))}
      </span>
    </figure>
  );
}
