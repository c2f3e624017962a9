import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { BenchDevice, BenchFixture } from './bench-fixture.js';
import type { Started } from './bench-processes.js';

/** Scans a second of one device: more than people do, so that short phases give enough values. */
export const scanRate = 20;

/**
 * Scans tickets with one device at an even rate.
 * @param codes one for each scan
 * @param how.isOver ends the scans early
 * @param how.refused is called with the status of a scan that was refused; default: an error
 * @returns milliseconds of each scan
 */
export async function scanAtDoor(
  fixture: Pick<BenchFixture, 'devices' | 'tenant'>,
  { port }: Pick<Started, 'port'>,
  codes: readonly string[],
  { isOver = () => false, refused = refuse }: { isOver?: () => boolean; refused?: (status: number) => void } = {},
): Promise<number[]> {
  const agent = new Agent({ keepAlive: true });
  const [device] = fixture.devices as [BenchDevice];
  const times: number[] = [];
  const headers = { host: fixture.tenant.host, 'content-type': 'application/json', authorization: device.authorization };
  const scan = async (code: string): Promise<void> => {
    const begun = performance.now();
    const sent = request({ agent, port, host: '127.0.0.1', path: '/scan/ticket/', method: 'POST', headers });
    sent.end(JSON.stringify({ qrcode_data: code }));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    await once(response.resume(), 'end');
    if (response.statusCode !== 200) refused(response.statusCode ?? 0);
    times.push(performance.now() - begun);
  };
  const begun = performance.now();
  const scans: Promise<void>[] = [];
  for (const [index, code] of codes.entries()) {
    if (isOver()) break;
    await delay(Math.max(0, begun + (index * 1000) / scanRate - performance.now()));
    scans.push(scan(code));
  }
  await Promise.all(scans);
  agent.destroy();
  return times;
}

function refuse(status: number): never {
  throw new Error(`A scan was answered with ${status}`);
}
