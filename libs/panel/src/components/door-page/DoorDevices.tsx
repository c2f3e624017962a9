import { useTranslation } from 'adminjs';
import { Badge } from '#panel-kit/components/shared/Badge.js';
import { localNumber } from '#panel-kit/components/shared/numbers.js';
import { timeWithSeconds } from '#panel-kit/components/shared/times.js';
import { DeviceName } from './DeviceName.js';
import { MoveDevice } from './MoveDevice.js';
import type { PanelTone } from '#panel-kit';
import type { BoardDevice, DoorBoard, DoorLinks, KnownGate } from './board.js';

const LOW_BATTERY = 20;

/** What staff should look at, as badges; nothing for a device without trouble. */
function Trouble({ device: { locked, gone, contact } }: { readonly device: BoardDevice }) {
  const { tc } = useTranslation();
  const { silent, network, unsent = 0, battery, charging } = contact ?? {};
  // Of a phone that scans no more, only what it may still have matters.
  const alive = gone === null;
  const found: (readonly [PanelTone, string] | false)[] = [
    gone !== null && [gone === 'wiped' ? 'bad' : 'quiet', tc(`DoorDevices.${gone}`)],
    alive && locked && ['bad', tc('DoorDevices.locked')],
    alive && silent === true && ['bad', tc('DoorDevices.silent')],
    alive && !silent && network === 'offline' && ['bad', tc('DoorDevices.offline')],
    alive && !silent && network === 'slow' && ['waiting', tc('DoorDevices.slow')],
    unsent !== null && unsent > 0 && ['waiting', tc('DoorDevices.unsent', { count: unsent })],
    alive && typeof battery === 'number' && battery < LOW_BATTERY && !charging && ['waiting', tc('DoorDevices.lowBattery')],
  ];
  const badges = found
    .filter((each) => each !== false)
    .map(([tone, text]) => (
      <Badge key={text} tone={tone}>
        {text}
      </Badge>
    ));
  return <>{badges}</>;
}

/** What the device said last about itself, in words. */
function useFacts({ lastAt, contact }: BoardDevice, gate: string | null | undefined) {
  const { tc } = useTranslation();
  const { at, battery, charging, clockOffsetMs, clockErrorMs, version } = contact ?? {};
  const seconds = (milliseconds: number): string => localNumber(milliseconds / 1000);
  return [
    gate,
    at && tc('DoorDevices.seen', { time: timeWithSeconds(at) }),
    lastAt && tc('Door.lastScan', { time: timeWithSeconds(lastAt) }),
    typeof battery === 'number' && tc(charging ? 'DoorDevices.charging' : 'DoorDevices.battery', { percent: battery }),
    typeof clockOffsetMs === 'number' && tc('DoorDevices.clock', { offset: seconds(clockOffsetMs), error: seconds(clockErrorMs ?? 0) }),
    version && tc('DoorDevices.version', { version }),
  ].filter(Boolean);
}

function Device({
  device,
  gates,
  links,
  reload,
}: {
  readonly device: BoardDevice;
  readonly gates: readonly KnownGate[];
  readonly links: DoorLinks;
  readonly reload: () => Promise<void>;
}) {
  const { tc } = useTranslation();
  const facts = useFacts(device, gates.find(({ id }) => id === device.gate)?.name);
  return (
    <li>
      <span className="gt-scan-who gt-door-device">
        <DeviceName id={device.id} name={device.name} links={links} /> <Trouble device={device} />
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

interface Props {
  readonly board: DoorBoard;
  readonly links: DoorLinks;
  readonly reload: () => Promise<void>;
}

/** The devices of the event. */
export function DoorDevices({ board: { devices, gates }, links, reload }: Props) {
  const { tc } = useTranslation();
  const known = gates.filter((gate): gate is KnownGate => gate.id !== null);
  return (
    <section aria-labelledby="door-devices">
      <h2 id="door-devices">{tc('Door.devices')}</h2>
      {devices.length === 0 ? (
        <p className="gt-panel gt-nothing">{tc('Door.noDevices')}</p>
      ) : (
        <ul className="gt-panel gt-scans">
          {devices.map((device) => (
            <Device key={device.id} device={device} gates={known} links={links} reload={reload} />
          ))}
        </ul>
      )}
    </section>
  );
}
