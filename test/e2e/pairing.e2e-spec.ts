import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ScanningDevicesService } from '#scan';
import type { TenantIdentity } from '#tenancy';
import { newDevice } from '../support/builders.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let venue: TenantIdentity;
let other: TenantIdentity;

beforeAll(async () => {
  test = await startTestApp();
  venue = await test.newTenant();
  other = await test.newTenant({ language: 'fr' });
});
afterAll(() => test.close());

const createDevice = (tenant = venue, name = 'Door 1') => test.inside(tenant, () => test.app.get(ScanningDevicesService).create(name));

describe('GET /scan/{token}/pair', () => {
  it('answers the key and the device, once', async () => {
    const code = await createDevice();
    const { body, headers } = await test.on(venue).get(code.path).expect(200);
    expect(body).toEqual({
      success: true,
      message: 'Device successfully paired',
      api_key: expect.stringMatching(/^gdev_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}$/),
      device_uuid: code.deviceId,
      device_name: 'Door 1',
      tenant_name: venue.name,
    });
    expect(headers['cache-control']).toBe('no-store');
  });

  it('answers POST in the same way, with and without the final slash', async () => {
    for (const suffix of ['', '/']) {
      const code = await createDevice();
      await test.on(venue).post(`${code.path}${suffix}`).expect(200);
      const again = await createDevice();
      await test.on(venue).get(`${again.path}${suffix}`).expect(200);
    }
  });

  it('refuses an unknown, a malformed and a foreign token in the same way', async () => {
    const foreign = await createDevice(other);
    for (const path of [`/scan/${'A'.repeat(43)}/pair`, '/scan/nonsense/pair', foreign.path]) {
      const { body } = await test
        .on(venue)
        .get(path)
        .expect(404)
        .expect('Content-Type', /problem\+json/);
      expect(body).toMatchObject({ success: false, code: 'pairing.unknown', reason: 'unknown', status: 404 });
      expect(body.message).toBe(body.detail);
    }
    await test.on(other).get(foreign.path).expect(200);
  });

  it('refuses a used token with 410', async () => {
    const code = await createDevice();
    await test.on(venue).get(code.path).expect(200);
    const { body } = await test.on(venue).get(code.path).expect(410);
    expect(body.code).toBe('pairing.spent');
  });

  it('refuses an expired token with 410', async () => {
    const code = await createDevice();
    await test.database.query(
      `update "${venue.schemaName}".scanning_device set pairing_expires_at = now() - interval '1 second' where id = $1`,
      [code.deviceId],
    );
    const { body } = await test.on(venue).get(code.path).expect(410);
    expect(body.code).toBe('pairing.expired');
  });

  it('stays valid after HEAD, prefetches, link previews and browser page loads', async () => {
    const code = await createDevice();
    await test.on(venue).head(code.path).expect(200).expect('Cache-Control', 'no-store');
    await test.on(venue).get(code.path).set('Sec-Purpose', 'prefetch;prerender').expect(403);
    await test.on(venue).get(code.path).set('Purpose', 'prefetch').expect(403);
    await test.on(venue).get(code.path).set('Sec-Fetch-Dest', 'document').expect(403);
    for (const agent of ['WhatsApp/2.23', 'Slackbot-LinkExpanding 1.0', 'facebookexternalhit/1.1', 'TelegramBot (like TwitterBot)']) {
      const { body } = await test.on(venue).get(code.path).set('User-Agent', agent).expect(403);
      expect(body.code).toBe('pairing.not_a_device');
    }
    await test.on(venue).get(code.path).set('User-Agent', 'curl/8').expect(200);
    await test.on(venue).head(code.path).expect(410);
  });

  it('answers in the requested language, else in that of the tenant', async () => {
    const french = await createDevice(other);
    const { body } = await test.on(other).get(french.path).expect(200);
    expect(body.message).toBe('Appareil appairé');
    const english = await createDevice(other);
    const answer = await test.on(other).get(english.path).set('Accept-Language', 'en-GB,en;q=0.9').expect(200);
    expect(answer.body.message).toBe('Device successfully paired');
    const neither = await createDevice(other);
    const italian = await test.on(other).get(neither.path).set('Accept-Language', 'it, *;q=0.1').expect(200);
    expect(italian.body.message).toBe('Appareil appairé');
  });

  it('gives a key to exactly one of 100 simultaneous calls', async () => {
    // Verified to fail without the condition `claimed_at is null`: all 100 then get a key.
    const code = await createDevice();
    const answers = await Promise.all(Array.from({ length: 100 }, () => test.on(venue).get(code.path)));
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([200, ...Array.from({ length: 99 }, () => 410)]);
    const keys = await test.database.query('select id from shared.api_key where device_id = $1', [code.deviceId]);
    expect(keys).toHaveLength(1);
  });

  it('stores neither token nor key', async () => {
    const code = await createDevice();
    const { body } = await test.on(venue).get(code.path).expect(200);
    const [dump] = await test.database.query<{ text: string }>(
      `select string_agg(row_to_json(d)::text, '') || (select string_agg(row_to_json(k)::text, '') from shared.api_key k) as text
       from "${venue.schemaName}".scanning_device d`,
    );
    const secret = String(body.api_key).split('_')[2] as string;
    expect(dump?.text).not.toContain(secret.slice(0, 20));
    expect(dump?.text).not.toContain(code.token);
    expect(dump?.text).not.toContain(Buffer.from(code.token).toString('hex'));
  });
});

describe('managing a device', () => {
  it('revokes the old key at once when the code is renewed', async () => {
    const device = await newDevice(test, venue);
    await test.on(venue).get('/scan/test_api/').set('Authorization', device.authorization).expect(200);
    const renewed = await test.inside(venue, () => test.app.get(ScanningDevicesService).renew(device.id));
    const { body } = await test.on(venue).get('/scan/test_api/').set('Authorization', device.authorization).expect(401);
    expect(body.code).toBe('key.revoked');
    const paired = await test
      .on(venue)
      .get(renewed?.path as string)
      .expect(200);
    expect(paired.body.device_uuid).toBe(device.id);
    await test.on(venue).get('/scan/test_api/').set('Authorization', `Api-Key ${paired.body.api_key}`).expect(200);
  });

  it('answers an archived device 403, and accepts it again when restored', async () => {
    const device = await newDevice(test, venue);
    const devices = test.app.get(ScanningDevicesService);
    await test.inside(venue, () => devices.archive(device.id));
    const { body } = await test.on(venue).get('/scan/test_api/').set('Authorization', device.authorization).expect(403);
    expect(body).toMatchObject({ code: 'device.archived', reason: 'archived', success: false });
    await test.inside(venue, () => devices.restore(device.id));
    await test.on(venue).get('/scan/test_api/').set('Authorization', device.authorization).expect(200);
  });

  it('does not pair an archived device', async () => {
    const code = await createDevice();
    await test.inside(venue, () => test.app.get(ScanningDevicesService).archive(code.deviceId));
    await test.on(venue).get(code.path).expect(410);
  });

  it('shows staff when a device was last used and what it scanned today', async () => {
    const device = await newDevice(test, venue);
    await test.on(venue).get('/scan/test_api/').set('Authorization', device.authorization).expect(200);
    const overview = (): Promise<{ state: string; lastSeenAt: Date | null; scansToday: number }[]> =>
      test.inside(venue, () => test.app.get(ScanningDevicesService).overview({ id: device.id }));
    for (let round = 0; round < 50 && !(await overview())[0]?.lastSeenAt; round += 1)
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await overview()).toMatchObject([{ state: 'paired', lastSeenAt: expect.any(Date), scansToday: 0 }]);
  });

  it('refuses a device without a name, and devices of tenants that sell no tickets', async () => {
    await expect(createDevice(venue, '  ')).rejects.toMatchObject({ field: 'name' });
    const project = await test.newTenant({ category: 'A' });
    await expect(createDevice(project)).rejects.toMatchObject({ code: 'tenant.module' });
  });
});

describe('GET /scan/test_api/', () => {
  it('answers device and server', async () => {
    const device = await newDevice(test, venue, 'Main entrance');
    const { body } = await test.on(venue).get('/scan/test_api/').set('Authorization', device.authorization).expect(200);
    expect(body).toEqual({
      success: true,
      message: 'API key is valid',
      device_info: { uuid: device.id, name: 'Main entrance', claimed: true, archived: false },
      permissions: [],
      server_info: {
        tenant: venue.name,
        domain: venue.host,
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}[+-]\d\d:\d\d$/),
      },
    });
  });
});
