import { useTranslation, type RecordJSON } from 'adminjs';
import { Badge } from '#panel-kit/components/shared/Badge.js';
import { Shown } from '#panel-kit/components/shared/Field.js';
import { dayAndTime } from '#panel-kit/components/shared/times.js';
import type { ShownProps } from '#panel-kit/components/page/props.js';

const DISABLED: Partial<Record<string, string>> = { staff: 'stateStaff', gone: 'stateGone', failing: 'stateFailing' };

/** The messages about an endpoint beside its state. */
function sentences(params: RecordJSON['params']): [key: string, time: string][] {
  const at = (name: string): string => params[name] ?? '';
  const disabled = at('disabledAt');
  if (disabled) return [[DISABLED[at('disabledReason')] ?? '', disabled]];
  const all: [key: string, time: string][] = [
    ['stateSince', at('failingSince')],
    ['statePaused', at('pausedUntil')],
    ['stateSecrets', at('previousSecretExpiresAt')],
  ];
  return all.filter(([, time]) => time !== '');
}

/** The state of an endpoint, with its reason and start. */
export default function EndpointState({ property, record }: ShownProps) {
  const { tl, tm } = useTranslation();
  const state = record.params[property.path];
  return (
    <Shown property={property}>
      <Badge tone={property.custom?.['tones']?.[state]}>{tl(`${property.path}.${state}`, property.resourceId)}</Badge>
      {sentences(record.params).map(([key, time]) => (
        <p key={key}>{tm(key, property.resourceId, { time: dayAndTime(time) })}</p>
      ))}
    </Shown>
  );
}
