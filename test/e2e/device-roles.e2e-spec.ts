import { randomUUID } from 'node:crypto';
import { ScanningDevicesService, type DeviceRole } from '#scan';
import type { TenantIdentity } from '#tenancy';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newDevice, newEvent, newTicket, type PairedDevice } from '../support/builders.js';
import { scanApi } from '../support/scan-api.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let venue: TenantIdentity;
let device: PairedDevice;
let event: Awaited<ReturnType<typeof newEvent>>;
const devices = {} as Record<DeviceRole, PairedDevice>;

beforeAll(async () => {
  test = await startTestApp();
  venue = await test.newTenant();
  event = await newEvent(test, venue);
  for (const role of ['scan', 'search', 'supervisor', 'kiosk'] as const) {
    devices[role] = await newDevice(test, venue, role);
    await test.inside(venue, () => test.app.get(ScanningDevicesService).change(devices[role].id, { role }));
  }
  device = devices.scan;
});
afterAll(() => test.close());

const { call, scan, check, undo, status } = scanApi(() => ({ test, venue, device }));

it.each([
  ['scan', 403, 200, 200, []],
  ['search', 200, 200, 200, ['search_tickets']],
  ['supervisor', 200, 200, 200, ['search_tickets', 'undo_any']],
  ['kiosk', 403, 403, 403, ['kiosk']],
] as const)('the role %s: lists %i, undo %i, hand-outs %i', async (role, lists, undoes, fulfils, permissions) => {
  const by = devices[role];
  const ticket = await newTicket(test, venue, { event });
  await check({ qrcode_data: ticket.code }, by).expect(200);
  expect((await scan({ qrcode_data: ticket.code }, by).expect(200)).body.success).toBe(true);
  await status(event.id, by).expect(200);
  await call('/scan/batch/', { lines: [] }, by).expect(200);
  for (const [path, body, code] of [
    ['/scan/list_tickets/', { event_uuid: event.id }, lists],
    ['/scan/search_ticket/', { event_uuid: event.id, search: 'martin' }, lists],
    ['/scan/fulfil/', { qrcode_data: ticket.code, scan_id: randomUUID() }, fulfils],
    ['/scan/undo_fulfil/', { qrcode_data: ticket.code, reason: 'x' }, fulfils],
    ['/scan/undo/', { qrcode_data: ticket.code, reason: 'x' }, undoes],
  ] as const) {
    const answer = await call(path, body, by);
    expect([path, answer.status]).toEqual([path, code]);
    if (code === 403) expect(answer.body.code).toBe('device.permission');
  }
  const tested = await test.on(venue).get('/scan/test_api/').set('Authorization', by.authorization).expect(200);
  expect(tested.body.permissions).toEqual(permissions);
  expect(Object.keys(tested.body.device_info)).toEqual(['uuid', 'name', 'claimed', 'archived']);
});

it('a supervisor takes back scans of other devices, also late ones', async () => {
  const ticket = await newTicket(test, venue, { event });
  await scan({ qrcode_data: ticket.code }).expect(200);
  await test.database.query(`update "${venue.schemaName}".ticket set scanned_at = now() - interval '3 hours' where id = $1`, [ticket.id]);
  expect((await undo({ qrcode_data: ticket.code, reason: 'x' }).expect(200)).body.reason).toBe('undo_expired');
  expect((await undo({ qrcode_data: ticket.code, reason: 'x' }, devices.search).expect(200)).body.reason).toBe('other_device');
  expect((await undo({ qrcode_data: ticket.code, reason: 'x' }, devices.supervisor).expect(200)).body.success).toBe(true);
  expect((await check({ qrcode_data: ticket.code }).expect(200)).body.may_enter).toBe(true);
});
