import { useTranslation } from 'adminjs';
import { Link } from 'react-router-dom';
import { Badge, OUTCOME_TONES } from '#panel-kit/components/shared/Badge.js';
import type { DoorBoard, DoorLinks } from './board.js';

/** Refused attempts of the last hour by reason. */
export function DoorRefusals({ board: { refusals }, links }: { readonly board: DoorBoard; readonly links: DoorLinks }) {
  const { tc } = useTranslation();
  return (
    <section aria-labelledby="door-refusals">
      <h2 id="door-refusals">{tc('Door.refusals')}</h2>
      {refusals.length === 0 ? (
        <p className="gt-panel gt-nothing">{tc('Door.noRefusals')}</p>
      ) : (
        <ul className="gt-panel gt-scans">
          {refusals.map(({ reason, count }) => (
            <li key={reason}>
              <span>
                <Badge tone={OUTCOME_TONES[reason] ?? 'waiting'}>{tc(`Outcome.${reason}`)}</Badge>
              </span>
              <strong>{count}</strong>
            </li>
          ))}
        </ul>
      )}
      <p className="gt-small gt-after-list">
        <Link to={links.log}>{tc('Door.log')}</Link>
      </p>
    </section>
  );
}
