import { useTranslation } from 'adminjs';
import { Badge } from '#panel-kit/components/shared/Badge.js';
import { timeOf } from '#panel-kit/components/shared/times.js';
import { DeviceName } from './DeviceName.js';
import type { DoorBoard, DoorLinks } from './board.js';

interface LeaseProps {
  readonly lease: NonNullable<DoorBoard['leases']>[number];
  readonly links: DoorLinks;
}

function Lease({ lease: { product, price, deviceId, device, gate, until }, links }: LeaseProps) {
  const { tc } = useTranslation();
  return (
    <li>
      <span className="gt-breaks">{product === price ? product : `${product} · ${price}`}</span>
      {deviceId === null || until === null ? (
        <span>
          <Badge tone="waiting">{tc('DoorLeases.nobody')}</Badge>
        </span>
      ) : (
        <>
          <span className="gt-breaks">
            <DeviceName id={deviceId} name={device} links={links} />
          </span>
          <span className="gt-small gt-breaks">{[gate, tc('DoorLeases.until', { time: timeOf(until) })].filter(Boolean).join(' · ')}</span>
        </>
      )}
    </li>
  );
}

/** Which device lets in which tickets while it has no connection; nothing at events where every device does. */
export function DoorLeases({ board: { leases }, links }: { readonly board: DoorBoard; readonly links: DoorLinks }) {
  const { tc } = useTranslation();
  if (!leases || leases.length === 0) return null;
  return (
    <section aria-labelledby="door-leases">
      <h2 id="door-leases">{tc('DoorLeases.title')}</h2>
      <ul className="gt-panel gt-scans gt-leases">
        {leases.map((lease) => (
          <Lease key={`${lease.product} ${lease.price}`} lease={lease} links={links} />
        ))}
      </ul>
      <p className="gt-small gt-after-list">{tc('DoorLeases.how')}</p>
    </section>
  );
}
