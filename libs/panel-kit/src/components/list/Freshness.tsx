import { useTranslation } from 'adminjs';
import { timeWithSeconds } from '../shared/times.js';
import type { Polled } from '../shared/polling.js';

/** When a page was updated, or a warning that it is old. */
export function Freshness({ at, failed, reload }: Omit<Polled<unknown>, 'value'>) {
  const { tb, tc } = useTranslation();
  if (!at) return null;
  const time = timeWithSeconds(at);
  if (!failed) return <p className="gt-small">{tc('Tonight.updated', { time })}</p>;
  return (
    <p className="gt-stale" role="status">
      {tc('Tonight.stale', { time })}{' '}
      <button type="button" className="gt-button gt-button-quiet gt-button-small" onClick={() => void reload()}>
        {tb('retry')}
      </button>
    </p>
  );
}
