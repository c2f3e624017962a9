import { randomUUID } from 'node:crypto';
import { setTimeout as pass } from 'node:timers/promises';
import { ScanningDevicesService, type DeviceRole } from '#scan';
import type { TenantIdentity } from '#tenancy';
import type { DoorEngine, ScanResult } from '../../../apps/door/src/core/types.js';
import type { TestApp } from '../test-app.js';
import { fetchAs } from './host-fetch.js';

/** How the requests of one phone fare. `lost`: the server acts, and its answer gets lost. */
export interface PhoneLine {
  mode: 'up' | 'down' | 'hang' | 'lost';
  /** Milliseconds that each answer is late. */
  delay: number;
}

/** The engine of the scanner app on a phone without a screen; its storage survives when the app is killed. */
export interface EnginePhone {
  /** The device at the server. */
  readonly id: string;
  readonly name: string;
  readonly line: PhoneLine;
  /** Results that the server's late answers changed. */
  readonly corrections: readonly ScanResult[];
  readonly engine: DoorEngine;
  /** Milliseconds by which the phone's clock is wrong. */
  clockError: number;
  /** The system kills the app: nothing of it goes on, and nothing is saved. */
  kill(): Promise<void>;
  restart(): Promise<void>;
}

interface Opened {
  readonly line: PhoneLine;
  readonly engine: DoorEngine;
  open(gateId: string | null, given: { readonly code: string; readonly event: string }): Promise<unknown>;
}

type FetchOf = (device: string, line: PhoneLine) => typeof globalThis.fetch;
type PhoneClass = new (network: { readonly fetchOf: FetchOf }) => EnginePhone & Opened;

/** Not a literal: the compiler of the server has no types of browsers. */
const core = '../../../apps/door/src/core';

/** The id under which the app records an entry again that the server had refused. */
export async function secondId(scanId: string): Promise<string> {
  const answers = (await import(`${core}/background/line-answers.ts`)) as { secondId(id: string): Promise<string> };
  return answers.secondId(scanId);
}

/** Where and what a phone is. */
export interface PhonePlace {
  readonly test: TestApp;
  readonly tenant: TenantIdentity;
  /** Port of the server, or of what stands before it. */
  readonly port: number;
  readonly eventId: string;
  readonly gateId?: string | null;
  readonly name?: string;
  readonly role?: DeviceRole;
}

/** Pairs a phone with a new device, and opens an event on it. */
export async function openEnginePhone({
  test,
  tenant,
  port,
  eventId,
  gateId = null,
  role = 'scan',
  ...given
}: PhonePlace): Promise<EnginePhone> {
  const { Phone } = (await import(`${core}/testing/phone.ts`)) as { readonly Phone: PhoneClass };
  const name = given.name ?? `Door ${randomUUID().slice(0, 6)}`;
  const { deviceId, token } = await test.inside(tenant, () => test.app.get(ScanningDevicesService).create(name, { role }));
  const phone = new Phone({ fetchOf: (_device, line) => fetchTo(port, tenant.host, line) });
  await phone.open(gateId, { code: token, event: eventId });
  return Object.assign(phone, { id: deviceId, name });
}

/** The fetch of a phone: its requests reach the server as its line allows. */
function fetchTo(port: number, host: string, line: PhoneLine): typeof globalThis.fetch {
  const passes = async (signal: AbortSignal | null | undefined): Promise<void> => {
    if (line.mode === 'down') throw new TypeError('fetch failed');
    if (line.mode === 'hang') await hanging(signal);
  };
  return async (input, init) => {
    const { signal } = init ?? {};
    await passes(signal);
    const answer = await fetchAs(host, `http://127.0.0.1:${port}${String(input)}`, init);
    if (line.delay > 0) await pass(line.delay);
    if (signal?.aborted || line.mode === 'lost') throw new TypeError('connection lost');
    await passes(signal);
    return answer;
  };
}

function hanging(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')));
  });
}
