import React from 'react';
import { useTranslation } from 'adminjs';
import { timeWithSeconds } from '#panel-kit/components/shared/times.js';

/** The devices of the event. */
export function DoorDevices({ board: { devices, gates } }) {
  const { tc } = useTranslation();
  const gateOf = (id) => gates.find((gate) => gate.id === id && id !== null)?.name;
  return (
    <section aria-labelledby="door-devices">
      <h2 id="door-devices">{tc('Door.devices')}</h2>
      {devices.length === 0 ? (
        <p className="gt-panel gt-nothing">{tc('Door.noDevices')}</p>
      ) : (
        <ul className="gt-panel gt-scans">
          {devices.map(({ id, name, gate, entries, lastAt }) => (
            <li key={id}>
              <span className="gt-scan-who">{name}</span>
              <span>{tc('Door.entriesOf', { count: entries })}</span>
              <span className="gt-small">
                {[gateOf(gate), tc('Door.lastScan', { time: timeWithSeconds(lastAt) })].filter(Boolean).join(' · ')}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
