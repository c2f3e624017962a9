import { useEffect, useState } from 'react';
import { ApiClient, flat, useTranslation, type PropertyJSON, type RecordJSON } from 'adminjs';
import { Badge } from '#panel-kit/components/shared/Badge.js';
import { Code } from '#panel-kit/components/shared/Code.js';
import { Shown } from '#panel-kit/components/shared/Field.js';
import { dayAndSeconds, dayAndTime } from '#panel-kit/components/shared/times.js';
import type { ShownProps } from '#panel-kit/components/page/props.js';
import type { PanelTone } from '#panel-kit';
import type { ProgressView } from '../../webhooks/webhook-deliveries.resource.js';

const EVERY = 2000;
const SOON = 60_000;
const TONES: Partial<Record<string, PanelTone>> = { waiting: 'waiting', delivered: 'good', failed: 'bad' };
const api = new ApiClient();

const isDue = ({ nextAttemptAt }: ProgressView): boolean => nextAttemptAt !== null && Date.parse(nextAttemptAt) <= Date.now() + SOON;

/** Polls the state of the delivery while an attempt is expected. */
function useProgress(property: PropertyJSON, record: RecordJSON): ProgressView {
  const given: ProgressView = flat.get(record.params, property.path);
  const [progress, setProgress] = useState(given);
  // The page reloads its record after an action.
  useEffect(() => setProgress(given), [record]);
  useEffect(() => {
    const request = { resourceId: property.resourceId, recordId: record.id, actionName: 'show' };
    const look = async (): Promise<void> => {
      const { data } = await api.recordAction(request);
      setProgress(flat.get(data.record.params, property.path));
    };
    // Errors are ignored, because the next interval tries again.
    const timer = setInterval(() => {
      if (isDue(progress) && document.visibilityState === 'visible') look().catch(() => undefined);
    }, EVERY);
    return () => clearInterval(timer);
  }, [progress, record.id]);
  return progress;
}

function Answer({ answer, resourceId }: { readonly answer: string | null; readonly resourceId: string }) {
  const { tm } = useTranslation();
  if (answer) return <Code label={tm('answer', resourceId)} text={answer} />;
  return <p className="gt-small">{tm(answer === '' ? 'emptyAnswer' : 'noAnswer', resourceId)}</p>;
}

function Attempt({
  attempt: { at, milliseconds, delivered, outcome, answer },
  resourceId,
}: {
  readonly attempt: ProgressView['attempts'][number];
  readonly resourceId: string;
}) {
  const { tm } = useTranslation();
  return (
    <li>
      <span className={delivered ? 'gt-attempt-good' : 'gt-attempt-bad'}>
        {[outcome, delivered ? tm('accepted', resourceId) : ''].filter(Boolean).join(' · ')}
      </span>
      <span className="gt-small">
        <time dateTime={at}>{dayAndSeconds(at)}</time> · {tm('took', resourceId, { milliseconds })}
      </span>
      <Answer answer={answer} resourceId={resourceId} />
    </li>
  );
}

function Next({ progress, resourceId }: { readonly progress: ProgressView; readonly resourceId: string }) {
  const { tm } = useTranslation();
  const { held, nextAttemptAt } = progress;
  if (!held && !nextAttemptAt) return null;
  const key = held ? 'held' : isDue(progress) ? 'nextSoon' : 'nextAttempt';
  return <span className="gt-small">{tm(key, resourceId, { time: nextAttemptAt === null ? '' : dayAndTime(nextAttemptAt) })}</span>;
}

/** The state of a delivery and all attempts, newest first. */
export default function DeliveryProgress({ property, record }: ShownProps) {
  const { tl, tm } = useTranslation();
  const { resourceId } = property;
  const progress = useProgress(property, record);
  const { attempts } = progress;
  const status = String(progress.status);
  return (
    <Shown property={property}>
      <div aria-live="polite">
        <Badge tone={TONES[status]}>{tl(`status.${status}`, resourceId)}</Badge> <Next progress={progress} resourceId={resourceId} />
      </div>
      {attempts.length > 0 ? (
        <ol className="gt-attempts">
          {attempts.map((attempt, index) => (
            <Attempt key={attempts.length - index} attempt={attempt} resourceId={resourceId} />
          ))}
        </ol>
      ) : (
        <p>{tm('noAttempt', resourceId)}</p>
      )}
    </Shown>
  );
}
