import type { TenantIdentity } from '#tenancy';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newDevice, newEvent, newTicket, type PairedDevice } from '../support/builders.js';
import { scanApi } from '../support/scan-api.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** Searches that the test allows. */
const allowed = 3;

let test: TestApp;
let venue: TenantIdentity;
let device: PairedDevice;
let event: Awaited<ReturnType<typeof newEvent>>;

beforeAll(async () => {
  test = await startTestApp({ environment: { RATE_SEARCHES: `${allowed}/h` } });
  venue = await test.newTenant();
  device = await newDevice(test, venue, 'Door 1', 'supervisor');
  event = await newEvent(test, venue);
});
afterAll(() => test.close());

const { call, scan } = scanApi(() => ({ test, venue, device }));

it('limits the searches of a device, simultaneous ones, too, and neither its scans and lists nor other devices', async () => {
  const ticket = await newTicket(test, venue, { event });
  const body = { event_uuid: event.id, search: 'ada' };
  const answers = await Promise.all(Array.from({ length: allowed + 2 }, () => call('/scan/search_ticket/', body)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 429, 429]);
  const limited = answers.find(({ status }) => status === 429)!;
  expect(limited.headers['content-type']).toMatch(/problem\+json/);
  expect(limited.body).toMatchObject({ success: false, code: 'rate.limited', reason: 'limited' });
  const wait = Number(limited.headers['retry-after']);
  expect(wait).toBeGreaterThan(600);
  expect(wait).toBeLessThanOrEqual(1200);
  await call('/scan/list_tickets/', { event_uuid: event.id }).expect(200);
  expect((await scan({ qrcode_data: ticket.code }).expect(200)).body.success).toBe(true);
  const other = await newDevice(test, venue, 'Door 2', 'supervisor');
  await call('/scan/search_ticket/', body, other).expect(200);
});
