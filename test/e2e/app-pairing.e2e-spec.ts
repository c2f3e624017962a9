import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DeviceCareService, GatesService, ScanningDevicesService, TeamCodesService } from '#scan';
import type { TenantIdentity } from '#tenancy';
import { newEvent } from '../support/builders.js';
import { newInstallation, newTeamCode, pairPhone, type PairedPhone } from '../support/team-codes.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let venue: TenantIdentity;
let other: TenantIdentity;

beforeAll(async () => {
  test = await startTestApp();
  venue = await test.newTenant();
  other = await test.newTenant();
});
afterAll(() => test.close());

const createDevice = () => test.inside(venue, () => test.app.get(ScanningDevicesService).create('Door 1'));
const ask = (apiKey: string) => test.on(venue).get('/scan/test_api/').set('Authorization', `Api-Key ${apiKey}`);
const pair = (code: string, installation?: string, label?: string) => pairPhone(test, venue, code, installation, label);
const devicesOf = (teamCodeId: string) =>
  test.database.query<{ id: string }>(`select id from "${venue.schemaName}".scanning_device where team_code_id = $1`, [teamCodeId]);

describe('POST /scan/pair/ with the token of a device', () => {
  it('answers key, device, keys for verification and the token for quarantine', async () => {
    const code = await createDevice();
    const { body, headers } = await pair(code.token).expect(200);
    expect(body).toEqual({
      success: true,
      message: 'Device successfully paired',
      api_key: expect.stringMatching(/^gdev_/),
      device_uuid: code.deviceId,
      device_name: 'Door 1',
      tenant_name: venue.name,
      role: 'scan',
      event: null,
      gate: null,
      gates: null,
      quarantine_token: expect.stringMatching(/^gqtn_[0-9A-Za-z]{12}_[A-Za-z0-9_-]{43}$/),
      keys: [expect.objectContaining({ kty: 'OKP', crv: 'Ed25519' })],
    });
    expect(headers['cache-control']).toBe('no-store');
    await ask(String(body.api_key)).expect(200);
  });

  it('gives the same installation its device again, and refuses another one', async () => {
    const code = await createDevice();
    const installation = newInstallation();
    const first = await pair(code.token, installation).expect(200);
    const again = await pair(code.token, installation).expect(200);
    expect(again.body.device_uuid).toBe(code.deviceId);
    // The answers may arrive in any order, so that both keys work for two minutes.
    for (const { body } of [first, again]) await ask(String(body.api_key)).expect(200);
    const refused = await pair(code.token).expect(410);
    expect(refused.body).toMatchObject({ code: 'pairing.spent', success: false });
    const old = `update shared.api_key set created_at = now() - interval '3 minutes' where device_id = $1`;
    await test.database.query(old, [code.deviceId]);
    const third = await pair(code.token, installation).expect(200);
    await ask(String(first.body.api_key)).expect(401);
    await ask(String(third.body.api_key)).expect(200);
  });

  it('lets one of 20 simultaneous installations in', async () => {
    const code = await createDevice();
    const answers = await Promise.all(Array.from({ length: 20 }, () => pair(code.token)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 19 }, () => 410)]);
  });
});

describe('POST /scan/pair/ with a team code', () => {
  it('pairs phones as devices of the event and the gate of the code', async () => {
    const event = await newEvent(test, venue);
    const gate = await test.inside(venue, () => test.app.get(GatesService).create({ name: 'Balcony' }));
    const { code } = await newTeamCode(test, venue, { eventId: event.id, gateId: gate.id, gateIds: [gate.id], role: 'search' });
    const { body } = await pair(code.toLowerCase().replace('-', ' '), newInstallation(), 'Pixel 7').expect(200);
    expect(body).toMatchObject({ device_name: 'Main door 1 (Pixel 7)', role: 'search', event: event.id, gate: gate.id, gates: [gate.id] });
    const second = await pair(code).expect(200);
    expect(second.body.device_name).toBe('Main door 2');
    const { body: tested } = await ask(String(body.api_key)).expect(200);
    expect(tested.permissions).toEqual(['search_tickets']);
  });

  it('gives 3 places to 10 phones that come at once', async () => {
    // Verified to fail without `for update` on the code: more than 3 phones then get a place.
    const { code, id } = await newTeamCode(test, venue, { places: 3 });
    const answers = await Promise.all(Array.from({ length: 10 }, () => pair(code)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, ...Array.from({ length: 7 }, () => 409)]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'pairing.full', success: false });
    expect(await devicesOf(id)).toHaveLength(3);
  });

  it('gives one place to an installation that asks 5 times at once, and each key works', async () => {
    // Verified to fail without `for update` on the code: the unique index refuses some of the requests.
    const { code, id } = await newTeamCode(test, venue, { places: 3 });
    const installation = newInstallation();
    const answers = await Promise.all(Array.from({ length: 5 }, () => pair(code, installation)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(new Set(answers.map(({ body }) => (body as PairedPhone).device_uuid)).size).toBe(1);
    expect(await devicesOf(id)).toHaveLength(1);
    for (const { body } of answers) await ask((body as PairedPhone).api_key).expect(200);
  });

  it('keeps the place of a phone that tries the spent code of another device of the team', async () => {
    const { code, id } = await newTeamCode(test, venue, { places: 2 });
    const installation = newInstallation();
    const mine = await pair(code, installation).expect(200);
    const theirs = await pair(code).expect(200);
    const renewed = await test.inside(venue, () => test.app.get(ScanningDevicesService).renew(String(theirs.body.device_uuid)));
    await pair(renewed!.token).expect(200);
    expect((await pair(renewed!.token, installation).expect(410)).body.code).toBe('pairing.spent');
    const again = await pair(code, installation).expect(200);
    expect(again.body.device_uuid).toBe(mine.body.device_uuid);
    expect(await devicesOf(id)).toHaveLength(2);
    // A code that is not spent moves the phone.
    const moved = await test.inside(venue, () => test.app.get(ScanningDevicesService).renew(String(theirs.body.device_uuid)));
    const after = await pair(moved!.token, installation).expect(200);
    expect(after.body.device_uuid).toBe(theirs.body.device_uuid);
    expect((await pair(code, installation).expect(200)).body.device_uuid).toBe(theirs.body.device_uuid);
  });

  it('refuses unknown codes, those of another place, and codes that are over', async () => {
    const foreign = await newTeamCode(test, other);
    for (const code of ['ZZZZZ-ZZZZZ', foreign.code, 'short', 'U'.repeat(10), 'A'.repeat(43), ' ', '<b>']) {
      const { body } = await pair(code).expect(404);
      expect(body.code).toBe('pairing.unknown');
    }
    const expired = await newTeamCode(test, venue);
    await test.database.query(`update "${venue.schemaName}".team_code set expires_at = now() where id = $1`, [expired.id]);
    expect((await pair(expired.code).expect(410)).body.code).toBe('pairing.expired');
    const ended = await newTeamCode(test, venue);
    await test.inside(venue, () => test.app.get(TeamCodesService).end(ended.id));
    expect((await pair(ended.code).expect(410)).body.code).toBe('pairing.expired');
  });

  it('frees the place of an archived device, and keeps that phone out', async () => {
    const { code } = await newTeamCode(test, venue, { places: 1 });
    const [mine, next] = [newInstallation(), newInstallation()];
    const { body } = await pair(code, mine).expect(200);
    await pair(code, next).expect(409);
    await test.inside(venue, () => test.app.get(DeviceCareService).wipe(String(body.device_uuid)));
    expect((await pair(code, mine).expect(403)).body.code).toBe('pairing.refused');
    await pair(code, next).expect(200);
  });

  it('refuses malformed bodies with a fault for each member', async () => {
    const post = (body: object) => test.on(venue).post('/scan/pair/').send(body).expect(400);
    const { body } = await post({ code: 7, installation: 'short', label: 'x'.repeat(61) });
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer).toSorted()).toEqual(['/code', '/installation', '/label']);
    await post({});
    await post({ code: 'A'.repeat(5000), installation: newInstallation() });
    await post({ code: 'ZZZZZ-ZZZZZ', installation: newInstallation(), label: 'a\u0000b' });
  });

  it('stores neither code nor secrets in plain text', async () => {
    const { code, id } = await newTeamCode(test, venue);
    const installation = newInstallation();
    const { body } = await pair(code, installation).expect(200);
    const { schemaName } = venue;
    const [dump] = await test.database.query<{ text: string }>(
      `select (select string_agg(row_to_json(c)::text, '') from "${schemaName}".team_code c)
         || (select string_agg(row_to_json(d)::text, '') from "${schemaName}".scanning_device d)
         || (select string_agg(row_to_json(k)::text, '') from "${schemaName}".device_key k)
         || (select string_agg(row_to_json(k)::text, '') from shared.api_key k) as text`,
    );
    const secrets = [code, code.replace('-', ''), installation, (body as PairedPhone).quarantine_token.split('_').slice(2).join('_')];
    for (const secret of secrets) {
      expect(dump?.text).not.toContain(secret);
      expect(dump?.text).not.toContain(Buffer.from(secret).toString('hex'));
    }
    expect((await test.inside(venue, () => test.app.get(TeamCodesService).show(id)))?.code).toBe(code);
  });
});

describe('guessing codes', () => {
  it('is limited by network, and volunteers who pair at once are not', async () => {
    const limited = await startTestApp({ environment: { RATE_PAIRING: '5/h' } });
    try {
      const place = await limited.newTenant();
      const { code } = await newTeamCode(limited, place, { places: 20 });
      for (let phone = 0; phone < 12; phone += 1) await pairPhone(limited, place, code).expect(200);
      for (let guess = 0; guess < 5; guess += 1) await pairPhone(limited, place, 'ZZZZZ-ZZZZZ').expect(404);
      const { body, headers } = await pairPhone(limited, place, 'ZZZZZ-ZZZZZ').expect(429);
      expect(body.code).toBe('rate.limited');
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      await pairPhone(limited, place, code).expect(429);
    } finally {
      await limited.close();
    }
  });
});
