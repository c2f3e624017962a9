import React, { useEffect, useState } from 'react';
import { ApiClient, useNotice, useTranslation } from 'adminjs';
import { Loader } from '@adminjs/design-system';
import { Link } from 'react-router-dom';
import { Badge } from '#panel-kit/components/shared/Badge.jsx';
import { localNumber } from '#panel-kit/components/shared/numbers.js';
import { dayAndSeconds } from '#panel-kit/components/shared/times.js';

const api = new ApiClient();

/** What the device decided, as a badge. */
function Decision({ line: { kind, direction, verdict } }) {
  const { tc } = useTranslation();
  if (kind === null) return <Badge tone="bad">{tc('Quarantine.unreadable')}</Badge>;
  if (kind === 'undo') return <Badge tone="info">{tc('Quarantine.undo')}</Badge>;
  if (verdict === 'refused') return <Badge tone="bad">{tc('Quarantine.refused')}</Badge>;
  return <Badge tone="good">{tc(direction === 'exit' ? 'Quarantine.exit' : 'Quarantine.entry')}</Badge>;
}

function Line({ line }) {
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
        {reference ? <Link to={href}>{reference}</Link> : <span className="gt-absent">{tc('Quarantine.noTicket')}</span>}
        {now ? <span className="gt-small"> {tc(`Quarantine.${now}`)}</span> : null}
      </span>
      <span className="gt-small gt-breaks">{kind === null ? text : details.join(' · ')}</span>
    </li>
  );
}

function Lines({ title, lines }) {
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
export default function QuarantineLines({ record, resource, action }) {
  const { tc } = useTranslation();
  const notify = useNotice();
  const [view, setView] = useState(null);
  const request = { resourceId: resource.id, recordId: record.id, actionName: action.name };
  const failed = () => notify({ message: 'failed', type: 'error' });
  useEffect(() => {
    api
      .recordAction(request)
      .then(({ data }) => setView(data.view))
      .catch(failed);
  }, [record.id]);
  if (!view) return <Loader />;
  const { lines, total, unseen, most } = view;
  const open = lines.filter(({ isSeen }) => !isSeen);
  const see = async () => {
    try {
      const { data } = await api.recordAction({ ...request, data: { upTo: open.at(-1).id } });
      if (data.notice) notify({ ...data.notice, resourceId: resource.id });
      setView(data.view);
    } catch {
      failed();
    }
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
