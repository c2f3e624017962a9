import React from 'react';
import { useTranslation } from 'adminjs';
import { Link } from 'react-router-dom';
import { actionAddress } from '#panel-kit/components/shared/actions.js';
import { Badge } from '#panel-kit/components/shared/Badge.jsx';
import { localNumber } from '#panel-kit/components/shared/numbers.js';
import { timeWithSeconds } from '#panel-kit/components/shared/times.js';
import { MoveDevice } from './MoveDevice.jsx';

const SHOW = { name: 'show', actionType: 'record' };
const LOW_BATTERY = 20;

/** What staff should look at, as badges; nothing for a device without trouble. */
function Trouble({ device: { locked, gone, contact } }) {
  const { tc } = useTranslation();
  const { silent, network, unsent, battery, charging } = contact ?? {};
  // Of a phone that scans no more, only what it may still have matters.
  const alive = gone === null;
  const found = [
    !alive && [gone === 'wiped' ? 'bad' : 'quiet', tc(`DoorDevices.${gone}`)],
    alive && locked && ['bad', tc('DoorDevices.locked')],
    alive && silent && ['bad', tc('DoorDevices.silent')],
    alive && !silent && network === 'offline' && ['bad', tc('DoorDevices.offline')],
    alive && !silent && network === 'slow' && ['waiting', tc('DoorDevices.slow')],
    unsent > 0 && ['waiting', tc('DoorDevices.unsent', { count: unsent })],
    alive && battery !== null && battery < LOW_BATTERY && !charging && ['waiting', tc('DoorDevices.lowBattery')],
  ].filter(Boolean);
  return found.map(([tone, text]) => (
    <Badge key={text} tone={tone}>
      {text}
    </Badge>
  ));
}

/** What the device said last about itself, in words. */
function useFacts({ lastAt, contact }, gate) {
  const { tc } = useTranslation();
  const { at, battery, charging, clockOffsetMs, clockErrorMs, version } = contact ?? {};
  const seconds = (milliseconds) => localNumber(milliseconds / 1000);
  return [
    gate,
    at && tc('DoorDevices.seen', { time: timeWithSeconds(at) }),
    lastAt && tc('Door.lastScan', { time: timeWithSeconds(lastAt) }),
    typeof battery === 'number' && tc(charging ? 'DoorDevices.charging' : 'DoorDevices.battery', { percent: battery }),
    typeof clockOffsetMs === 'number' && tc('DoorDevices.clock', { offset: seconds(clockOffsetMs), error: seconds(clockErrorMs ?? 0) }),
    version && tc('DoorDevices.version', { version }),
  ].filter(Boolean);
}

function Device({ device, gates, reload }) {
  const { tc } = useTranslation();
  const facts = useFacts(device, gates.find(({ id }) => id === device.gate)?.name);
  return (
    <li>
      <span className="gt-scan-who gt-door-device">
        <Link to={actionAddress(SHOW, 'devices', device.id)}>{device.name}</Link> <Trouble device={device} />
      </span>
      <span>{tc('Door.entriesOf', { count: device.entries })}</span>
      <span className="gt-small gt-breaks">{facts.join(' · ')}</span>
      {gates.length > 1 && device.gone === null ? (
        <span className="gt-door-move">
          <MoveDevice device={device} gates={gates} reload={reload} />
        </span>
      ) : null}
    </li>
  );
}

/** The devices of the event. */
export function DoorDevices({ board: { devices, gates }, reload }) {
  const { tc } = useTranslation();
  const known = gates.filter(({ id }) => id !== null);
  return (
    <section aria-labelledby="door-devices">
      <h2 id="door-devices">{tc('Door.devices')}</h2>
      {devices.length === 0 ? (
        <p className="gt-panel gt-nothing">{tc('Door.noDevices')}</p>
      ) : (
        <ul className="gt-panel gt-scans">
          {devices.map((device) => (
            <Device key={device.id} device={device} gates={known} reload={reload} />
          ))}
        </ul>
      )}
    </section>
  );
}
