import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ReservationChangesService } from '#tickets';
import type { TenantIdentity } from '#tenancy';
import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import { newDevice, newEvent, newTicket, type PairedDevice } from '../support/builders.js';
import { fetchAs } from '../support/door/host-fetch.js';
import { scanApi } from '../support/scan-api.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** The class of the example. */
interface Door {
  journal: string[];
  load(): Promise<void>;
  follow(): Promise<void>;
  scan(code: string, gate?: string): Promise<string>;
  send(): Promise<Record<string, unknown>[]>;
}

let test: TestApp;
let venue: TenantIdentity;
let device: PairedDevice;
let other: PairedDevice;
let folder: string;
let DoorClass: new (server: string, apiKey: string, eventId: string) => Door;

beforeAll(async () => {
  test = await startTestApp();
  venue = await test.newTenant();
  [device, other] = [await newDevice(test, venue, 'Door 1'), await newDevice(test, venue, 'Door 2')];
  folder = await mkdtemp(join(tmpdir(), 'guichet-example-'));
  const page = await readFile('docs/scanning.md', 'utf8');
  const section = /^### A worked example$([^]*?)^### /m.exec(page)?.[1] ?? '';
  const code = [...section.matchAll(/^```js\n([^]*?)^```$/gm)].map((match) => match[1]).join('\n');
  const file = join(folder, 'door.mjs');
  await writeFile(file, code);
  ({ Door: DoorClass } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as { Door: typeof DoorClass });
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(async () => {
  await test.close();
  await rm(folder, { recursive: true, force: true });
});

const { scan, log } = scanApi(() => ({ test, venue, device: other }));

/** The network of the example. @param isUp whether requests reach the server */
function connect(isUp: () => boolean): void {
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (address, init) => {
    if (!isUp()) throw new TypeError('fetch failed');
    return fetchAs(venue.host, String(address), init);
  });
}

it('the device of the example decides with and without the server, and sends its journal', async () => {
  let isUp = true;
  connect(() => isUp);
  const event = await newEvent(test, venue, { startsAt: new Date() });
  const [online, elsewhere, offline, twice, cancelled] = await Promise.all(
    Array.from({ length: 5 }, () => newTicket(test, venue, { event })),
  );
  const door = new DoorClass(`http://127.0.0.1:${test.port}`, device.key, event.id);
  await door.load();
  expect(await door.scan(online!.code)).toBe('go');
  expect(await door.scan(online!.code)).toBe('already_scanned');

  const following = door.follow();
  await scan({ qrcode_data: elsewhere!.code }).expect(200);
  await following;
  await test.inside(venue, () => test.app.get(ReservationChangesService).cancel(cancelled!.reservationId, { reason: 'staff' }));
  await door.follow();

  isUp = false;
  const late = await newTicket(test, venue, { event });
  const forged = offline!.code.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'));
  const verdicts: string[] = [];
  for (const { code } of [offline!, offline!, twice!, elsewhere!, cancelled!, late, { code: forged }]) verdicts.push(await door.scan(code));
  expect(verdicts).toEqual(['go', 'already_scanned', 'go', 'already_scanned', 'cancelled', 'ask', 'forged']);
  await scan({ qrcode_data: twice!.code }).expect(200);

  isUp = true;
  expect(door.journal).toHaveLength(6);
  const lines = [...door.journal];
  const results = await door.send();
  expect(results.map(({ state, reason }) => [state, reason])).toEqual([
    ['applied', undefined],
    ['applied', undefined],
    [expect.stringMatching(/applied|duplicate_of/), 'double_entry'],
    ['applied', undefined],
    ['applied', undefined],
    ['refused', 'forged'],
  ]);
  expect(door.journal).toEqual([]);
  door.journal = lines;
  expect(await door.send()).toEqual(results);
  expect((await log(offline!.id)).map(({ outcome }) => outcome)).toEqual(['accepted']);
  expect(await door.scan(late.code)).toBe('go');
});
