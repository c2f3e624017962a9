import { useTranslation } from 'adminjs';
import { Loader } from '@adminjs/design-system';
import { Link } from 'react-router-dom';
import { Badge } from '#panel-kit/components/shared/Badge.js';
import { localNumber } from '#panel-kit/components/shared/numbers.js';
import { dayAndSeconds } from '#panel-kit/components/shared/times.js';
import { addressOf, useSend, useView, type RecordPage } from '#panel-kit/components/page/view.js';
import type { QuarantineView } from '../../door/quarantine.action.js';

type LineView = QuarantineView['lines'][number];

/** What the device decided, as a badge. */
function Decision({ line: { kind, direction, verdict } }: { readonly line: LineView }) {
  const { tc } = useTranslation();
  if (kind === null) return <Badge tone="bad">{tc('Quarantine.unreadable')}</Badge>;
  if (kind === 'undo') return <Badge tone="info">{tc('Quarantine.undo')}</Badge>;
  if (verdict === 'refused') return <Badge tone="bad">{tc('Quarantine.refused')}</Badge>;
  return <Badge tone="good">{tc(direction === 'exit' ? 'Quarantine.exit' : 'Quarantine.entry')}</Badge>;
}

function Line({ line }: { readonly line: LineView }) {
  const { tc } = useTranslation();
  const { kind, text, at, errorMs, tickets, gateName, event, reference, href, now, isRecorded } = line;
  const details = [
    gateName ?? tc('Quarantine.noGate'),
    tickets > 1 && tc('Quarantine.together', { count: tickets }),
    event,
    errorMs > 0 && tc('Quarantine.error', { seconds: localNumber(errorMs / 1000) }),
    isRecorded && tc('Quarantine.recorded'),
  ].filter(Boolean);
  return (
    <li>
      <span className="gt-door-device">
        <time dateTime={at}>{dayAndSeconds(at)}</time> <Decision line={line} />
      </span>
      <span>
        {reference && href ? <Link to={href}>{reference}</Link> : <span className="gt-absent">{tc('Quarantine.noTicket')}</span>}
        {now ? <span className="gt-small"> {tc(`Quarantine.${now}`)}</span> : null}
      </span>
      <span className="gt-small gt-breaks">{kind === null ? text : details.join(' · ')}</span>
    </li>
  );
}

function Lines({ title, lines }: { readonly title: string; readonly lines: readonly LineView[] }) {
  if (lines.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <ul className="gt-panel gt-scans gt-lines">
        {lines.map((line) => (
          <Line key={line.id} line={line} />
        ))}
      </ul>
    </section>
  );
}

/** Lines of a journal that a device handed over after its key was revoked, for staff to read and to mark as seen. */
export default function QuarantineLines(page: RecordPage) {
  const { tc } = useTranslation();
  const address = addressOf(page);
  const [view, setView] = useView<QuarantineView>(address);
  const { send } = useSend(page.resource.id);
  if (!view) return <Loader />;
  const { lines, total, unseen, most } = view;
  const open = lines.filter(({ isSeen }) => !isSeen);
  const see = async (): Promise<void> => {
    const answer = await send<QuarantineView>(address, { upTo: open.at(-1)?.id });
    if (answer) setView(answer.view);
  };
  return (
    <div className="gt-door">
      <p className="gt-panel gt-lead gt-quarantine">{tc('Quarantine.lead')}</p>
      <p>
        {tc('Quarantine.count', { count: total })} · {tc('Quarantine.unseen', { count: unseen })}
        {total > most ? ` · ${tc('Quarantine.part', { most })}` : ''}
      </p>
      <Lines title={tc('Quarantine.toSee')} lines={open} />
      {open.length > 0 ? (
        <p>
          <button type="button" className="gt-button" onClick={() => void see()}>
            {tc('Quarantine.see', { count: open.length })}
          </button>
        </p>
      ) : null}
      <Lines title={tc('Quarantine.seenBefore')} lines={lines.filter(({ isSeen }) => isSeen)} />
    </div>
  );
}
