import { useTranslation } from 'adminjs';
import { Link } from 'react-router-dom';
import { Badge, OUTCOME_TONES } from '#panel-kit/components/shared/Badge.js';
import { timeWithSeconds } from '#panel-kit/components/shared/times.js';
import type { StartPageView } from '../../start-page/start-page.js';

/** The last scans, newest first. */
export function LastScans({ refused, scans }: { readonly refused: number; readonly scans: NonNullable<StartPageView['scans']> }) {
  const { tc } = useTranslation();
  return (
    <section aria-labelledby="last-scans">
      <h2 id="last-scans">
        {tc('Tonight.scans')} {refused > 0 ? <span className="gt-small">{tc('Tonight.refused', { count: refused })}</span> : null}
      </h2>
      {scans.length === 0 ? (
        <div className="gt-panel gt-nothing">
          <p>{tc('Tonight.noScans')}</p>
        </div>
      ) : (
        <ol className="gt-panel gt-scans">
          {scans.map((scan) => (
            <li key={scan.id}>
              <span className="gt-scan-who">{scan.href && scan.who ? <Link to={scan.href}>{scan.who}</Link> : scan.who || '–'}</span>
              <Badge tone={OUTCOME_TONES[scan.outcome]}>{tc(`Outcome.${scan.outcome}`)}</Badge>
              <span className="gt-small">
                <time dateTime={scan.at}>{timeWithSeconds(scan.at)}</time>
                {[scan.event, scan.device].filter(Boolean).map((word) => ` · ${word}`)}
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
