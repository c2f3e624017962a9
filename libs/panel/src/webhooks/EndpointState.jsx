import React from 'react';
import { useTranslation } from 'adminjs';
import { Badge } from '#panel-kit/components/shared/Badge.jsx';
import { Shown } from '#panel-kit/components/shared/Field.jsx';
import { dayAndTime } from '#panel-kit/components/shared/times.js';

const DISABLED = { staff: 'stateStaff', gone: 'stateGone', failing: 'stateFailing' };

/** The messages about an endpoint beside its state. */
function sentences({ disabledAt, disabledReason, failingSince, pausedUntil, previousSecretExpiresAt }) {
  if (disabledAt) return [[DISABLED[disabledReason], disabledAt]];
  return [
    ['stateSince', failingSince],
    ['statePaused', pausedUntil],
    ['stateSecrets', previousSecretExpiresAt],
  ].filter(([, time]) => time);
}

/** The state of an endpoint, with its reason and start. */
export default function EndpointState({ property, record }) {
  const { tl, tm } = useTranslation();
  const state = record.params[property.path];
  return (
    <Shown property={property}>
      <Badge tone={property.custom?.tones?.[state]}>{tl(`${property.path}.${state}`, property.resourceId)}</Badge>
      {sentences(record.params).map(([key, time]) => (
        <p key={key}>{tm(key, property.resourceId, { time: dayAndTime(time) })}</p>
      ))}
    </Shown>
  );
}
