import { randomUUID } from 'node:crypto';
import { DeviceCareService, GatesService, ScanningDevicesService, type DoorBoard } from '#scan';
import { TenantDb, type TenantIdentity } from '#tenancy';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { newDevice, newEvent, newTicket, newTickets, type BuiltTicket, type PairedDevice } from '../support/builders.js';
import { staffOf } from '../support/panel-staff.js';
import type { PanelClient } from '../support/panel-client.js';
import { scanApi } from '../support/scan-api.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

let test: TestApp;
let venue: TenantIdentity;
let staff: PanelClient;
let device: PairedDevice;
let other: PairedDevice;
let gates: string[];

const newGate = (name: string): Promise<string> =>
  test.inside(venue, async () => (await test.app.get(GatesService).create({ name, position: 0 })).id);

beforeAll(async () => {
  test = await startTestApp();
  venue = await test.newTenant();
  staff = await staffOf(test, venue);
  device = await newDevice(test, venue, 'Door 1');
  other = await newDevice(test, venue, 'Door 2');
  gates = [await newGate('Main door'), await newGate('Upper gate')];
});
afterAll(() => test.close());

const { call, scan, undo, status } = scanApi(() => ({ test, venue, device }));
const soon = (hours: number): Date => new Date(Date.now() + hours * 3_600_000);
const boardOf = async (event: string, by = staff): Promise<DoorBoard | null> =>
  (await by.page('scan-log', 'door', { event, part: 'now' })).view!['board'] as DoorBoard | null;
/** Pages share a reading for a second. */
const boardWhen = (event: string, is: (board: DoorBoard) => boolean): Promise<DoorBoard> => until(async () => (await boardOf(event))!, is);
const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);
const entriesOf = ({ gates: all }: DoorBoard): number => sum(all.flatMap(({ entries }) => entries));
const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
const line = (members: object): string =>
  JSON.stringify({ scan_id: randomUUID(), sequence: 0, verdict: 'admitted', mode: 'offline', device_time: minutesAgo(5), ...members });

/** A repeatable sequence of numbers from 0 to below 1. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
}

describe('the live page of the door', () => {
  it('agrees with a recount of tickets and log after random scans, exits and undos', async () => {
    const event = await newEvent(test, venue, { reentry: true, startsAt: soon(1) });
    const tickets = await newTickets(test, venue, { event, count: 12 });
    await newTicket(test, venue, { event, status: 'R' });
    const random = numbers(7);
    const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value;
    const outcomes: Record<string, number> = {};
    for (let round = 0; round < 90; round += 1) {
      const body = { qrcode_data: pick<BuiltTicket>(tickets).code };
      const at = pick([...gates, undefined]);
      const by = pick([device, other]);
      const kind = random();
      if (kind < 0.15) await undo({ ...body, reason: 'random' }, by);
      else {
        const direction = kind < 0.4 ? 'exit' : 'entry';
        const { reason } = (await scan({ ...body, ...(at && { gate: at }), direction }, by).expect(200)).body as { reason?: string };
        if (reason) outcomes[reason] = (outcomes[reason] ?? 0) + 1;
      }
    }
    const { body: counted } = await status(event.id).expect(200);
    const [log] = await test.database.query<{ entries: number }>(
      `select count(*)::int as entries from "${venue.schemaName}".scan_log l where l.event_id = $1 and l.action = 'scan'
         and l.outcome in ('accepted', 'readmitted')
         and not exists (select 1 from "${venue.schemaName}".scan_log u where u.undoes = l.id)`,
      [event.id],
    );
    const board = await boardWhen(event.id, (found) => entriesOf(found) === log!.entries && found.inside === counted.inside);
    expect(board).toMatchObject({ expected: 12, admitted: counted.admitted, inside: counted.inside });
    const insideOf = (id: string | null) => board.gates.find((gate) => gate.id === id)?.inside ?? 0;
    expect(counted.gates.map(({ uuid, inside }: { uuid: string; inside: number }) => [uuid, inside])).toEqual(
      gates.map((id) => [id, insideOf(id)]),
    );
    expect(insideOf(null)).toBe(counted.elsewhere);
    expect(Object.fromEntries(board.refusals.map(({ reason, count }) => [reason, count]))).toEqual(outcomes);
    expect(board.devices.map(({ name }) => name)).toEqual(['Door 1', 'Door 2']);
    expect(sum(board.devices.map(({ entries }) => entries))).toBe(log!.entries);
  });

  it('puts entries of devices without a connection at their own time, and forecasts from them', async () => {
    const event = await newEvent(test, venue, { startsAt: soon(-1), endsAt: soon(4) });
    const tickets = await newTickets(test, venue, { event, count: 40 });
    const lines = tickets
      .slice(0, 20)
      .map(({ id }, index) => line({ ticket: id, sequence: index, gate: gates[0], device_time: minutesAgo(index < 10 ? 30 : 5) }));
    await call('/scan/batch/', { lines }).expect(200);
    const board = await boardWhen(event.id, ({ admitted }) => admitted === 20);
    const { entries } = board.gates.find(({ id }) => id === gates[0])!;
    expect(entries).toHaveLength(120);
    expect(sum(entries.slice(-10))).toBe(10);
    expect(sum(entries.slice(-40, -20))).toBe(10);
    // Ten in the last ten minutes and 20 missing: some 20 minutes.
    const { forecast } = board;
    expect(forecast.state).toBe('at');
    const minutes = 'at' in forecast ? (Date.parse(forecast.at) - Date.parse(board.now)) / 60_000 : 0;
    expect(minutes).toBeGreaterThanOrEqual(20);
    expect(minutes).toBeLessThan(30);
  });

  it('lists devices that report to be at the event, with what they say about themselves', async () => {
    const event = await newEvent(test, venue, { startsAt: soon(1) });
    const phone = await newDevice(test, venue, 'Phone');
    const said = { app_version: '2026-11', battery: 15, charging: false, unsent: 3, clock_offset_ms: -2400, clock_error_ms: 80 };
    await call('/scan/contact/', { ...said, event: event.id, gate: gates[1], network: 'slow' }, phone).expect(200);
    const { devices } = await boardWhen(event.id, (board) => board.devices.length > 0);
    const contact = { silent: false, version: '2026-11', battery: 15, charging: false, unsent: 3, clockOffsetMs: -2400, clockErrorMs: 80 };
    expect(devices).toMatchObject([
      { name: 'Phone', locked: false, gone: null, gate: gates[1], entries: 0, lastAt: null, contact: { ...contact, network: 'slow' } },
    ]);
    await test.database.query(
      `update "${venue.schemaName}".device_contact set seen_at = now() - interval '3 minutes' where device_id = $1`,
      [phone.id],
    );
    await boardWhen(event.id, (board) => board.devices[0]!.contact!.silent);
    await test.inside(venue, () => test.app.get(DeviceCareService).wipe(phone.id));
    await boardWhen(event.id, (board) => board.devices[0]!.gone === 'wiped');
    await test.inside(venue, () => test.app.get(ScanningDevicesService).archive(phone.id));
    await boardWhen(event.id, (board) => board.devices[0]!.gone === 'archived');
  });

  it('costs one statement a second, however many pages are open', async () => {
    const event = await newEvent(test, venue, { startsAt: soon(1) });
    const spy = jest.spyOn(test.app.get(TenantDb), 'statement');
    try {
      const begun = Date.now();
      for (let round = 0; round < 4; round += 1) {
        const boards = await Promise.all(Array.from({ length: 10 }, () => boardOf(event.id)));
        expect(boards.every((board) => board?.event.id === event.id)).toBe(true);
      }
      const read = spy.mock.calls.filter(([{ name }]) => name === 'door_board').length;
      expect(read).toBeGreaterThan(0);
      expect(read).toBeLessThanOrEqual(1 + Math.ceil((Date.now() - begun) / 1000));
    } finally {
      spy.mockRestore();
    }
  });

  it('offers the events of today and later and opens the first one that is not over', async () => {
    const place = await test.newTenant();
    const people = await staffOf(test, place);
    expect((await people.page('scan-log', 'door')).view).toEqual({ events: [], eventId: null });
    const over = await newEvent(test, place, { name: 'Long ago', startsAt: soon(-72), endsAt: soon(-70) });
    const running = await newEvent(test, place, { name: 'Now', startsAt: soon(-1), endsAt: soon(2) });
    const later = await newEvent(test, place, { name: 'Later', startsAt: soon(50) });
    const { view } = await people.page('scan-log', 'door');
    expect(view).toMatchObject({ eventId: running.id, board: { event: { name: 'Now' }, forecast: { state: 'nobody' } } });
    expect((view!['events'] as { id: string }[]).map(({ id }) => id)).toEqual([running.id, later.id]);
    const past = (await people.page('scan-log', 'door', { event: over.id })).view!;
    expect(past).toMatchObject({ eventId: over.id, events: [{ id: over.id }, { id: running.id }, { id: later.id }] });
    for (const event of [randomUUID(), 'x', "'"]) {
      const { view: unknown } = await people.page('scan-log', 'door', { event });
      expect([null, running.id]).toContain(unknown!['eventId']);
      expect((await people.page('scan-log', 'door', { event, part: 'now' })).view).toEqual({ board: null });
    }
    expect(await boardOf(running.id)).toBeNull();
  });

  it('agrees with the start page on people inside, also when an event lasts for days', async () => {
    const place = await test.newTenant();
    const people = await staffOf(test, place);
    const door = await newDevice(test, place);
    const event = await newEvent(test, place, { startsAt: soon(-60), endsAt: soon(3), reentry: true });
    const gate = await test.inside(place, async () => (await test.app.get(GatesService).create({ name: 'Gate' })).id);
    const [one, two] = await newTickets(test, place, { event, count: 3 });
    const send = (body: object) => test.on(place).post('/scan/ticket/').set('Authorization', door.authorization).send(body).expect(200);
    await send({ qrcode_data: one!.code, gate });
    await send({ qrcode_data: two!.code, gate });
    await send({ qrcode_data: two!.code, gate, direction: 'exit' });
    const { body } = await test.on(place).get(`/scan/status/?event=${event.id}`).set('Authorization', door.authorization).expect(200);
    expect(body).toMatchObject({ expected: 3, admitted: 2, inside: 1, gates: [{ inside: 1 }] });
    const start = (await people.call('get', '/api/dashboard').expect(200)).body;
    const doorHref = `/admin/resources/scan-log/actions/door?event=${event.id}`;
    expect(start.events).toMatchObject([{ id: event.id, sold: 3, admitted: 2, inside: 1, doorHref }]);
    expect((await people.look('events', event.id)).record!.params['inside']).toBe(1);
    expect((await people.look('gates', gate)).record!.params['inside']).toBe(1);
    expect((await people.act('events', event.id, 'door')).redirectUrl).toBe(doorHref);
  });
});
