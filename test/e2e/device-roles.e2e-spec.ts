import { randomUUID } from 'node:crypto';
import { ScanningDevicesService, type DeviceRole } from '#scan';
import type { TenantIdentity } from '#tenancy';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
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

it('no device gets more with its key: neither another role, nor the API or the panel', async () => {
  for (const { id, authorization } of Object.values(devices)) {
    for (const path of [
      '/api/v2/events/',
      '/api/v2/reservations/',
      '/admin/api/dashboard',
      `/admin/api/resources/devices/records/${id}/show`,
    ]) {
      const { status } = await test.on(venue).get(path).set('Authorization', authorization);
      expect([path, [401, 403].includes(status)]).toEqual([path, true]);
    }
    const edit = test.on(venue).post(`/admin/api/resources/devices/records/${id}/edit`).set('Authorization', authorization);
    expect([401, 403]).toContain((await edit.send({ role: 'supervisor' })).status);
  }
  const roles = await test.inside(venue, () =>
    Promise.all(Object.values(devices).map(({ id }) => test.app.get(ScanningDevicesService).describe(id))),
  );
  expect(roles.map((kept) => kept?.role)).toEqual(Object.keys(devices));
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

describe('a device that searches', () => {
  const names = (known?: string) => {
    const asked = test.on(venue).get(`/scan/names/?event=${event.id}`).set('Authorization', devices.search.authorization);
    return known ? asked.set('If-None-Match', known) : asked;
  };
  const code = /:[\w-]{86}/;

  it('gets ids and names, and neither codes nor addresses; the scan log says what it got', async () => {
    const ticket = await newTicket(test, venue, { event });
    const by = await newDevice(test, venue, 'Desk', 'search');
    const file = await test.on(venue).get(`/scan/names/?event=${event.id}`).set('Authorization', by.authorization).expect(200);
    const lists = [
      await call('/scan/list_tickets/', { event_uuid: event.id }, by).expect(200),
      await call('/scan/search_ticket/', { event_uuid: event.id, search: 'ada@example.org' }, by).expect(200),
    ];
    for (const { text } of [file, ...lists]) {
      expect(text).toContain(ticket.id);
      expect(text).not.toMatch(code);
      expect(text).not.toContain('ada@');
    }
    const rows = await test.database.query(
      `select action, outcome, event_id from "${venue.schemaName}".scan_log where device_id = $1 order by id`,
      [by.id],
    );
    expect(rows).toEqual(
      ['names_file', 'ticket_list', 'ticket_search'].map((outcome) => ({ action: 'download', outcome, event_id: event.id })),
    );
  });

  it('downloads names that it has once only', async () => {
    const count = async (): Promise<number> => {
      const sql = `select 1 from "${venue.schemaName}".scan_log where device_id = $1 and action = 'download'`;
      return (await test.database.query(sql, [devices.search.id])).length;
    };
    const before = await count();
    const first = await names().expect(200);
    await names(first.headers['etag'] as string).expect(304);
    expect(await count()).toBe(before + 1);
    await newTicket(test, venue, { event });
    await names(first.headers['etag'] as string).expect(200);
    expect(await count()).toBe(before + 2);
  });

  it('scans, checks and undoes what it found by the id of the ticket; a kiosk does not', async () => {
    const ticket = await newTicket(test, venue, { event });
    const named = { ticket: ticket.id.toUpperCase(), event_uuid: event.id };
    for (const path of ['/scan/check_ticket/', '/scan/ticket/'])
      expect((await call(path, named, devices.kiosk).expect(403)).body.code).toBe('device.permission');
    expect((await check(named, devices.search).expect(200)).body).toMatchObject({ may_enter: true, ticket: { uuid: ticket.id } });
    const attempt = { ...named, scan_id: randomUUID(), gate: null, direction: 'entry' };
    const first = await scan(attempt, devices.search).expect(200);
    expect(first.body.success).toBe(true);
    expect((await scan(attempt, devices.search).expect(200)).text).toBe(first.text);
    expect((await scan({ ...attempt, ticket: randomUUID() }, devices.search).expect(422)).body.code).toBe('scan.id_reused');
    expect((await scan({ ...named, qrcode_data: ticket.code }, devices.search).expect(400)).body.code).toBe('qrcode.malformed');
    expect((await scan({ ticket: randomUUID() }, devices.search).expect(404)).body.code).toBe('ticket.unknown');
    const undone = await undo({ ticket: ticket.id, reason: 'wrong person' }, devices.search).expect(200);
    expect(undone.body.success).toBe(true);
  });
});
