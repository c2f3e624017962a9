import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { languages } from '#kernel';
import { DeviceCareService, GatesService, TeamCodesService } from '#scan';
import type { TenantIdentity } from '#tenancy';
import { newEvent } from '../support/builders.js';
import { recordFaults, type PanelClient } from '../support/panel-client.js';
import { staffOf } from '../support/panel-staff.js';
import { newInstallation, newPhone, newTeamCode, pairPhone } from '../support/team-codes.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let venue: TenantIdentity;
let other: TenantIdentity;
let staff: PanelClient;

beforeAll(async () => {
  test = await startTestApp();
  venue = await test.newTenant({ language: 'en' });
  other = await test.newTenant();
  staff = await staffOf(test, venue);
});
afterAll(() => test.close());

const newGate = (name: string, eventId: string | null = null, tenant = venue): Promise<string> =>
  test.inside(tenant, async () => (await test.app.get(GatesService).create({ name, eventId })).id);
const create = async (fields: object): Promise<string> => {
  const made = await staff.create('team-codes', { name: 'Main door', ...fields });
  expect(recordFaults(made)).toEqual({});
  return made.record!.id;
};
const viewOf = async (id: string, action: string, by = staff) => (await by.look('team-codes', id, action)).view ?? null;
const actionsOf = async (id: string): Promise<string[]> => {
  const { record } = (await staff.look('team-codes', id)) as unknown as { record: { recordActions: { name: string }[] } };
  return record.recordActions.map(({ name }) => name).toSorted();
};
const paramsOf = async (id: string) => (await staff.look('team-codes', id)).record!.params;

describe('a team code in the panel', () => {
  it('is created, shown with the phones that used it, and ended', async () => {
    const event = await newEvent(test, venue, { name: 'Jazz' });
    const gate = await newGate('Balcony');
    const made = await staff.create('team-codes', {
      name: 'Main door',
      places: '2',
      eventId: event.id,
      gateId: gate,
      gateIds: [gate],
      role: 'search',
      opensMinutesBefore: '90',
      closesMinutesAfter: '30',
    });
    const id = made.record!.id;
    expect(made.redirectUrl).toBe(`/admin/resources/team-codes/records/${id}/code`);
    expect(await paramsOf(id)).toMatchObject({ state: 'open', used: '0 / 2', role: 'search', gates: 'Balcony', opensMinutesBefore: 90 });
    const view = (await viewOf(id, 'code')) as { code: string; address: string };
    expect(view).toMatchObject({ state: 'open', taken: 0, places: 2, devices: [], picture: expect.stringMatching(/^data:image\/svg/) });
    expect(view.code).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/);
    expect(view.address).toBe(`${new URL(view.address).origin}/door/#pair=${view.code}`);
    expect(new URL(view.address).host).toBe(venue.host);

    const phone = newInstallation();
    const { body } = await pairPhone(test, venue, view.code, phone, 'Pixel 7').expect(200);
    await pairPhone(test, venue, view.code, phone).expect(200);
    expect(await viewOf(id, 'code')).toMatchObject({ taken: 1, devices: [{ name: 'Main door 1 (Pixel 7)', state: 'paired' }] });
    await pairPhone(test, venue, view.code).expect(200);
    expect(await paramsOf(id)).toMatchObject({ state: 'full', used: '2 / 2' });
    const { record } = await staff.look('devices', String(body.device_uuid));
    expect(record!.params).toMatchObject({ teamCodeId: id, eventId: event.id, gateId: gate });
    expect(Object.values(await paramsOf(id))).toContain('Main door 1 (Pixel 7)');

    await staff.act('team-codes', id, 'end');
    expect((await paramsOf(id))['state']).toBe('ended');
    expect(await viewOf(id, 'code')).toBeNull();
    await pairPhone(test, venue, view.code).expect(410);
    await test.on(venue).get('/scan/test_api/').set('Authorization', `Api-Key ${body.api_key}`).expect(200);
  });

  it('shows the code on its own pages only, and to staff of the place only', async () => {
    const id = await create({});
    const { code } = (await viewOf(id, 'code')) as { code: string };
    for (const answer of [await staff.list('team-codes'), await staff.look('team-codes', id), await staff.look('team-codes', id, 'edit')]) {
      expect(JSON.stringify(answer)).not.toContain(code);
      expect(JSON.stringify(answer)).not.toContain(code.replace('-', ''));
      expect(JSON.stringify(answer)).not.toMatch(/sealed|selector/i);
    }
    const stranger = await staffOf(test, other);
    expect(await viewOf(id, 'code', stranger)).toBeNull();
    expect(await viewOf(id, 'sheet', stranger)).toBeNull();
    await stranger.act('team-codes', id, 'end');
    expect(await paramsOf(id)).toMatchObject({ state: 'open' });
  });

  it('lasts until the phones of its event close, and without an event for 12 hours', async () => {
    const startsAt = new Date(Date.now() + 5 * 86_400_000);
    const event = await newEvent(test, venue, { startsAt, endsAt: new Date(startsAt.getTime() + 3_600_000) });
    const expiryOf = async (id: string): Promise<number> => Date.parse(String((await paramsOf(id))['expiresAt']));
    const minutes = ((await expiryOf(await create({ eventId: event.id, closesMinutesAfter: '30' }))) - startsAt.getTime()) / 60_000;
    expect(minutes).toBe(90);
    const hours = ((await expiryOf(await create({}))) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(11.9);
    expect(hours).toBeLessThan(12.1);
    const wanted = new Date(Date.now() + 3_600_000).toISOString();
    expect(await expiryOf(await create({ eventId: event.id, expiresAt: wanted }))).toBe(Date.parse(wanted));
  });

  it('is edited after phones paired: places, expiry and opening hours, and not what the phones took', async () => {
    const startsAt = new Date(Date.now() + 3 * 3_600_000);
    const [event, another] = [await newEvent(test, venue, { startsAt }), await newEvent(test, venue)];
    const gate = await newGate('Edited');
    const id = await create({ eventId: event.id, places: '1', opensMinutesBefore: '30' });
    const { code } = (await viewOf(id, 'code')) as { code: string };
    const { body } = await pairPhone(test, venue, code).expect(200);
    const works = () => test.on(venue).get(`/scan/status/?event=${event.id}`).set('Authorization', `Api-Key ${body.api_key}`);
    expect((await works().expect(403)).body).toMatchObject({ code: 'device.closed' });
    await pairPhone(test, venue, code).expect(409);
    const edit = (fields: object) => staff.act('team-codes', id, 'edit', fields);
    const before = await paramsOf(id);
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    const wide = { name: 'Main door', places: '2', opensMinutesBefore: '240', closesMinutesAfter: '30', expiresAt };
    expect(recordFaults(await edit({ ...wide, eventId: another.id, gateId: gate, gateIds: [gate], role: 'kiosk' }))).toEqual({});
    expect(await paramsOf(id)).toMatchObject({ places: 2, used: '1 / 2', state: 'open', opensMinutesBefore: 240, closesMinutesAfter: 30 });
    expect(await paramsOf(id)).toMatchObject({ eventId: event.id, gateId: null, gates: 'Every gate', role: before['role'] });

    expect(Date.parse(String((await paramsOf(id))['expiresAt']))).toBe(Date.parse(expiresAt));
    await works().expect(200);
    await pairPhone(test, venue, code).expect(200);

    // Fewer places than phones, and no expiry: as for a new code.
    expect(recordFaults(await edit({ places: '1', expiresAt: '' }))).toEqual({});
    const edited = await paramsOf(id);
    expect(edited).toMatchObject({ used: '2 / 1', state: 'full', opensMinutesBefore: 240 });
    expect(Date.parse(String(edited['expiresAt']))).toBeGreaterThan(startsAt.getTime());
    await works().expect(200);
    expect(recordFaults(await edit({ places: '0' }))).toHaveProperty('places');
    expect(recordFaults(await edit({ expiresAt: '2020-01-01T00:00:00Z' }))).toHaveProperty('expiresAt');

    // A code that expired keeps its expiry, and pairs phones again with a later one.
    await test.database.query(`update "${venue.schemaName}".team_code set expires_at = now() - interval '1 hour' where id = $1`, [id]);
    const expired = String((await paramsOf(id))['expiresAt']);
    expect(recordFaults(await edit({ places: '3', expiresAt: expired.replace(/:\d\d\.\d+/, ':00.000') }))).toEqual({});
    expect(await paramsOf(id)).toMatchObject({ state: 'expired', expiresAt: expired, used: '2 / 3' });
    await pairPhone(test, venue, code).expect(410);
    expect(recordFaults(await edit({ expiresAt }))).toEqual({});
    await pairPhone(test, venue, code).expect(200);

    expect(await actionsOf(id)).toContain('edit');
    await staff.act('team-codes', id, 'end');
    // Verified to fail without `editable`.
    expect(await actionsOf(id)).toEqual(['history', 'show']);
    expect((await staff.look('team-codes', id, 'edit')).record?.params).toEqual({});
    await edit({ name: 'Side door' });
    expect((await paramsOf(id))['name']).toBe('Main door');
    const codes = test.app.get(TeamCodesService);
    expect(await test.inside(venue, () => codes.change(id, { name: 'Side door' }))).toBe(false);
    const stranger = await staffOf(test, other);
    await stranger.act('team-codes', id, 'edit', { name: 'Theirs' });
    expect((await paramsOf(id))['name']).toBe('Main door');
  });

  it('is refused with gates that do not exist here, or belong to another event', async () => {
    // Verified to fail without `refuseUnfitGates`: no foreign key holds the allowed gates.
    const [event, another] = [await newEvent(test, venue), await newEvent(test, venue)];
    const [mine, theirs] = [await newGate('Here'), await newGate('There', null, other)];
    const elsewhere = await newGate('Elsewhere', another.id);
    const faults = async (fields: object) => recordFaults(await staff.create('team-codes', { name: 'Door', eventId: event.id, ...fields }));
    const unknown = expect.stringContaining('no longer exists');
    expect(await faults({ gateIds: [mine, theirs] })).toEqual({ gateIds: unknown });
    expect(await faults({ gateIds: [randomUUID()] })).toEqual({ gateIds: unknown });
    expect(await faults({ gateIds: ['x'] })).toEqual({ gateIds: unknown });
    expect(await faults({ gateId: theirs })).toEqual({ gateId: unknown });
    expect(await faults({ gateIds: [mine, elsewhere] })).toEqual({ gateIds: expect.stringContaining('another event') });
    expect(await faults({ gateId: elsewhere })).toEqual({ gateId: expect.stringContaining('another event') });
    expect(await faults({ gateId: mine, gateIds: [await newGate('Third')] })).toEqual({ gateIds: expect.stringContaining('start') });
    expect(await faults({ name: ' ', places: '501' })).toHaveProperty('name');
    expect(await faults({ places: '501' })).toEqual({ places: expect.stringContaining('500') });
    expect(await faults({ gateIds: [mine, elsewhere.toUpperCase()], eventId: another.id, gateId: mine.toUpperCase() })).toEqual({});
  });
});

describe('the pairing sheet', () => {
  it('says in the language of the place what volunteers need', async () => {
    const lune = await test.newTenant({ name: 'La Lune', language: 'fr', timeZone: 'Europe/Paris' });
    const startsAt = new Date('2027-05-21T18:30:00Z');
    const event = await newEvent(test, lune, { name: 'Jazz', startsAt, endsAt: new Date('2027-05-21T21:30:00Z') });
    const gate = await newGate('Balcon', null, lune);
    const { id, code } = await newTeamCode(test, lune, { eventId: event.id, gateId: gate, places: 8 });
    const view = await viewOf(id, 'sheet', await staffOf(test, lune));
    expect(view).toMatchObject({ state: 'open', language: 'fr', venue: 'La Lune', name: 'Main door', code });
    expect(view!['type']).toContain(`${lune.host}/door`);
    expect(view!['steps']).toHaveLength(3);
    const facts = JSON.stringify(view!['facts']).replaceAll(/\s/g, ' ');
    // 18:30 UTC is 20:30 in the time zone of the place.
    for (const words of ['Jazz, vendredi 21 mai 2027, 20 h 30', '18 h 30 à 1 h 30', 'Balcon', 'Scanne', '8 téléphones']) {
      expect(facts).toContain(words);
    }
  });

  it('of a device has its code where it was created, and nowhere else', async () => {
    const made = await staff.create('devices', { name: 'South door' });
    const id = made.record!.id;
    const { view } = await staff.look('devices', id, 'sheet');
    expect(view).toMatchObject({ state: 'open', language: 'en', name: 'South door', code: null, type: null });
    const colleague = await staffOf(test, venue);
    expect((await colleague.look('devices', id, 'sheet')).view).toEqual({ state: 'hidden' });
  });

  it.each(languages)('names the button of the scanner in %s', (language) => {
    const read = (lib: string): unknown => JSON.parse(readFileSync(`locales/${language}/${lib}.json`, 'utf8'));
    const { pairing } = read('door') as { pairing: { pair: string } };
    expect((read('panel') as { pairingSheet: { pair: string } }).pairingSheet.pair).toContain(pairing.pair);
  });
});

describe('a change of gate', () => {
  it('keeps to the gates of the event and of the team code', async () => {
    const [event, another] = [await newEvent(test, venue), await newEvent(test, venue)];
    const [allowed, excluded, elsewhere] = [await newGate('Allowed'), await newGate('Excluded'), await newGate('Far', another.id)];
    const phone = await newPhone(test, venue, { eventId: event.id, gateIds: [allowed] });
    const place = (gateId: string | null, eventId?: string) =>
      test.inside(venue, () => test.app.get(DeviceCareService).place(phone.id, { gateId, ...(eventId && { eventId }) }));
    expect(await place(allowed)).toBe(true);
    await expect(place(excluded)).rejects.toMatchObject({ field: 'gateId' });
    await expect(place(elsewhere)).rejects.toMatchObject({ field: 'gateId' });
    await expect(place(elsewhere, another.id)).rejects.toMatchObject({ field: 'gateId' });
    await expect(place(randomUUID())).rejects.toMatchObject({ field: 'gateId' });
    await expect(place(null, randomUUID())).rejects.toMatchObject({ field: 'eventId' });
    expect(await place(null, another.id)).toBe(true);
    expect((await staff.look('devices', phone.id)).record!.params).toMatchObject({ eventId: another.id, gateId: null });
    const missing = await test.inside(venue, () => test.app.get(DeviceCareService).place(randomUUID(), { gateId: null }));
    expect(missing).toBe(false);
  });

  it('of the phone’s code outlives the code: a code of a deleted gate allows nothing', async () => {
    const gate = await newGate('Soon gone');
    const { id } = await test.inside(venue, () => test.app.get(TeamCodesService).create({ name: 'Door', gateIds: [gate] }));
    await test.inside(venue, () => test.app.get(GatesService).remove(gate));
    expect((await paramsOf(id))['gates']).toBeNull();
  });
});
