import { ApiDocumentService } from '#api-document';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DeviceCareService, GatesService, ScanningDevicesService } from '#scan';
import type { TenantIdentity } from '#tenancy';
import { newDevice, newEvent, newTicket, type PairedDevice } from '../support/builders.js';
import { scanApi } from '../support/scan-api.js';
import { newPhone } from '../support/team-codes.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let venue: TenantIdentity;
let event: Awaited<ReturnType<typeof newEvent>>;
let device: PairedDevice;

beforeAll(async () => {
  test = await startTestApp();
  venue = await test.newTenant();
  event = await newEvent(test, venue);
  device = await newDevice(test, venue);
});
afterAll(() => test.close());

const { call, scan } = scanApi(() => ({ test, venue, device }));
const contact = (body: object = {}, by: Pick<PairedDevice, 'authorization'> = device) => call('/scan/contact/', body, by as PairedDevice);
const care = <Result>(work: (service: DeviceCareService) => Promise<Result>): Promise<Result> =>
  test.inside(venue, () => work(test.app.get(DeviceCareService)));
const stored = (id: string) => test.database.query(`select * from "${venue.schemaName}".device_contact where device_id = $1`, [id]);
const journalLine = (scanId: string) =>
  JSON.stringify({
    scan_id: scanId,
    sequence: 1,
    ticket: scanId,
    verdict: 'refused',
    mode: 'offline',
    device_time: '2026-11-20T20:31:07Z',
  });
const quarantine = (bearer: string, lines: readonly unknown[], tenant = venue) =>
  test.on(tenant).post('/scan/quarantine/').set('Authorization', bearer).send({ lines });

/** The event takes place so many hours from now, for an hour. */
const move = (hours: number) =>
  test.database.query(
    `update "${venue.schemaName}".event set starts_at = now() + make_interval(hours => $2), ends_at = now() + make_interval(hours => $2 + 1)
     where id = $1`,
    [event.id, hours],
  );

describe('POST /scan/contact/', () => {
  it('needs no body, as the API document says', async () => {
    const { authorization } = await newDevice(test, venue, 'Silent');
    await test.on(venue).post('/scan/contact/').set('Authorization', authorization).expect(200);
    const { paths } = test.app.get(ApiDocumentService).document() as { paths: Record<string, { post: { requestBody: object } }> };
    expect(paths['/scan/contact/']!.post.requestBody).toMatchObject({ required: false });
    expect(paths['/scan/batch/']!.post.requestBody).toMatchObject({ required: true });
  });

  it('stores what the device says and answers what staff set', async () => {
    const said = { app_version: '5f0c1e2a', battery: 71, charging: true, unsent: 3, clock_offset_ms: -120, clock_error_ms: 40 };
    const { body } = await contact({ ...said, event: event.id, gate: null, position: '1-2', network: 'live' }).expect(200);
    expect(body).toEqual({
      success: true,
      server_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      device: {
        uuid: device.id,
        name: 'Door 1',
        role: 'scan',
        event: null,
        gate: null,
        gates: null,
        moves: 0,
        locked: false,
        opens_at: null,
        closes_at: null,
        wipe: false,
      },
      app: { version: body.app.version },
    });
    const [row] = await stored(device.id);
    expect(row).toMatchObject({
      app_version: '5f0c1e2a',
      battery: 71,
      charging: true,
      unsent: 3,
      clock_offset_ms: '-120',
      network: 'live',
    });
  });

  it('is written once in 10 seconds, also by simultaneous requests', async () => {
    // Verified to fail without the condition of the write: the last of the requests is stored.
    const one = await newDevice(test, venue, 'Door 2');
    await contact({ battery: 50 }, one).expect(200);
    await Promise.all(Array.from({ length: 8 }, (_, index) => contact({ battery: index }, one).expect(200)));
    expect(await stored(one.id)).toMatchObject([{ battery: 50 }]);
    await test.database.query(
      `update "${venue.schemaName}".device_contact set seen_at = now() - interval '11 seconds' where device_id = $1`,
      [one.id],
    );
    await contact({ battery: 49 }, one).expect(200);
    expect(await stored(one.id)).toMatchObject([{ battery: 49 }]);
  });

  it('answers a change of gate, and refuses members out of range', async () => {
    const gate = await test.inside(venue, () => test.app.get(GatesService).create({ name: 'Balcony' }));
    await care((service) => service.place(device.id, { gateId: gate.id, eventId: event.id }));
    expect((await contact().expect(200)).body.device).toMatchObject({ gate: gate.id, event: event.id, moves: 1, locked: false });
    await care((service) => service.place(device.id, { gateId: gate.id }));
    expect((await contact().expect(200)).body.device).toMatchObject({ gate: gate.id, moves: 2 });
    await care((service) => service.place(device.id, { eventId: null }));
    const bad = {
      battery: 101,
      unsent: -1,
      clock_offset_ms: 1.5,
      network: 'fast',
      app_version: 'x'.repeat(61),
      charging: 'yes',
      gate: 'x',
    };
    const { body } = await contact(bad).expect(400);
    expect(body.errors).toHaveLength(7);
    await expect(care((service) => service.place(device.id, { gateId: event.id }))).rejects.toMatchObject({ field: 'gateId' });
  });
});

describe('a locked device', () => {
  it('scans nothing, sends its journal and hears that it is locked', async () => {
    const ticket = await newTicket(test, venue, { event });
    const locked = await newDevice(test, venue, 'Door 3');
    await care((service) => service.lock(locked.id));
    const { body } = await scan({ qrcode_data: ticket.code }, locked).expect(403);
    expect(body).toMatchObject({ success: false, code: 'device.locked' });
    await test.on(venue).get('/scan/events/').set('Authorization', locked.authorization).expect(403);
    await call('/scan/batch/', { lines: [journalLine(ticket.id)] }, locked).expect(200);
    expect((await contact({}, locked).expect(200)).body.device.locked).toBe(true);
    await care((service) => service.unlock(locked.id));
    expect((await scan({ qrcode_data: ticket.code }, locked).expect(200)).body.success).toBe(true);
  });
});

describe('a device of a team code', () => {
  it('works around its event only', async () => {
    const ticket = await newTicket(test, venue, { event });
    const phone = await newPhone(test, venue, { eventId: event.id, opensMinutesBefore: 120, closesMinutesAfter: 60 });
    await move(3);
    const { body } = await scan({ qrcode_data: ticket.code }, phone).expect(403);
    expect(body).toMatchObject({ code: 'device.closed', opens_at: expect.any(String), closes_at: expect.any(String) });
    const hours = (Date.parse(body.closes_at) - Date.parse(body.opens_at)) / 3_600_000;
    expect(hours).toBeCloseTo(4);
    const { device: told } = (await contact({}, phone).expect(200)).body;
    expect(told).toMatchObject({ locked: true, opens_at: body.opens_at, closes_at: body.closes_at });
    await call('/scan/batch/', { lines: [journalLine(ticket.id)] }, phone).expect(200);
    await move(1);
    expect((await scan({ qrcode_data: ticket.code }, phone).expect(200)).body.success).toBe(true);
    expect((await contact({}, phone).expect(200)).body.device.locked).toBe(false);
    await move(-3);
    await scan({ qrcode_data: ticket.code }, phone).expect(403);
    await move(1);
  });

  it('that staff lock opens at no time, whatever its hours', async () => {
    const phone = await newPhone(test, venue, { eventId: event.id, opensMinutesBefore: 120, closesMinutesAfter: 60 });
    const hours = (await contact({}, phone).expect(200)).body.device;
    await care((service) => service.lock(phone.id));
    const { device } = (await contact({}, phone).expect(200)).body;
    expect(device).toMatchObject({ locked: true, opens_at: null, closes_at: hours.closes_at });
    expect(hours.opens_at).toEqual(expect.any(String));
  });

  it('works at any time without an event, and stays closed when its code is deleted', async () => {
    const ticket = await newTicket(test, venue, { event });
    const phone = await newPhone(test, venue);
    await scan({ qrcode_data: ticket.code }, phone).expect(200);
    await test.database.query(`delete from "${venue.schemaName}".team_code where id = $1`, [phone.teamCodeId]);
    expect((await scan({ qrcode_data: ticket.code }, phone).expect(403)).body.code).toBe('device.locked');
  });

  it('uses the gates of its code only', async () => {
    const gates = test.app.get(GatesService);
    const [mine, other] = await test.inside(venue, async () => [
      await gates.create({ name: 'North' }),
      await gates.create({ name: 'South' }),
    ]);
    const ticket = await newTicket(test, venue, { event });
    const phone = await newPhone(test, venue, { gateIds: [mine.id] });
    const refused = await scan({ qrcode_data: ticket.code, gate: other.id }, phone).expect(404);
    expect(refused.body.code).toBe('gate.unknown');
    expect((await scan({ qrcode_data: ticket.code, gate: mine.id }, phone).expect(200)).body.success).toBe(true);
  });
});

describe('a device that staff wiped', () => {
  it('is told so by every route, and hands its journal over', async () => {
    const phone = await newPhone(test, venue);
    await scan({ qrcode_data: 'x' }, phone).expect(400);
    await care((service) => service.wipe(phone.id));
    for (const answer of [
      await scan({ qrcode_data: 'x' }, phone),
      await contact({}, phone),
      await call('/scan/batch/', { lines: [] }, phone),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([401, 'key.wiped']);
    }
    const lines = [journalLine(device.id), 'not a line', 7, null, '', 'x'.repeat(1001)];
    for (let repeat = 0; repeat < 2; repeat += 1)
      expect((await quarantine(phone.bearer, lines).expect(200)).body).toEqual({ success: true, count: 2 });
    const kept = await test.database.query(`select line from "${venue.schemaName}".quarantine_line where device_id = $1`, [phone.id]);
    expect(kept).toHaveLength(2);
    await test.on(venue).get('/scan/test_api/').set('Authorization', phone.bearer).expect(401);
  });

  it('keeps its token for quarantine when another phone gets its device, which answers key.revoked', async () => {
    const phone = await newPhone(test, venue);
    await test.inside(venue, () => test.app.get(ScanningDevicesService).renew(phone.id));
    expect((await contact({}, phone).expect(401)).body.code).toBe('key.revoked');
    await quarantine(phone.bearer, ['{}']).expect(200);
  });
});

describe('POST /scan/quarantine/', () => {
  it('refuses other tokens, and those of another place', async () => {
    const other = await test.newTenant();
    const phone = await newPhone(test, venue);
    for (const bearer of [device.authorization, 'Bearer x', `Bearer gqtn_${'A'.repeat(12)}_${'A'.repeat(43)}`, `${phone.bearer}x`]) {
      expect((await quarantine(bearer, []).expect(401)).body.code).toBe('quarantine.token');
    }
    await quarantine(phone.bearer, [], other).expect(401);
    await test.on(venue).post('/scan/quarantine/').send({ lines: [] }).expect(401);
    await quarantine(
      phone.bearer,
      Array.from({ length: 1001 }, () => '{}'),
    ).expect(400);
  });

  it('keeps at most 20,000 lines of a device, also of simultaneous uploads', async () => {
    const phone = await newPhone(test, venue);
    await test.database.query(
      `insert into "${venue.schemaName}".quarantine_line (device_id, line, line_hash)
       select $1, 'line ' || n, decode(md5(n::text), 'hex') from generate_series(1, 18500) n`,
      [phone.id],
    );
    const upload = (index: number) =>
      quarantine(
        phone.bearer,
        Array.from({ length: 1000 }, (_, line) => `${index} ${line}`),
      );
    const answers = await Promise.all(Array.from({ length: 6 }, (_, index) => upload(index)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('quarantine.full');
  });
});
