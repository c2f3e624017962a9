import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { referenceOf } from '#notices';
import { DeviceCareService, GatesService } from '#scan';
import type { TenantIdentity } from '#tenancy';
import { newEvent, newTicket, newTickets } from '../support/builders.js';
import type { PanelClient } from '../support/panel-client.js';
import { staffOf } from '../support/panel-staff.js';
import { newPhone } from '../support/team-codes.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

interface ShownLine {
  readonly id: string;
  readonly isSeen: boolean;
  readonly reference: string | null;
}

let test: TestApp;
let venue: TenantIdentity;
let staff: PanelClient;
let event: Awaited<ReturnType<typeof newEvent>>;

beforeAll(async () => {
  test = await startTestApp();
  venue = await test.newTenant();
  staff = await staffOf(test, venue);
  event = await newEvent(test, venue, { name: 'Jazz' });
});
afterAll(() => test.close());

const newGate = (name: string, eventId: string | null = null): Promise<string> =>
  test.inside(venue, async () => (await test.app.get(GatesService).create({ name, eventId })).id);
const lineOf = (members: object): string =>
  JSON.stringify({
    scan_id: randomUUID(),
    sequence: 1,
    verdict: 'admitted',
    mode: 'offline',
    device_time: '2026-11-20T20:31:07Z',
    ...members,
  });
const handOver = (bearer: string, lines: readonly string[]) =>
  test.on(venue).post('/scan/quarantine/').set('Authorization', bearer).send({ lines }).expect(200);
const quarantineOf = async (id: string, by = staff) => (await by.look('devices', id, 'quarantine')).view ?? null;
const linesOf = async (id: string): Promise<ShownLine[]> => (await quarantineOf(id))!['lines'] as ShownLine[];
const stateOf = async (id: string): Promise<unknown> => (await staff.look('devices', id)).record!.params['quarantine'];
const wipe = (id: string) => test.inside(venue, () => test.app.get(DeviceCareService).wipe(id));

describe('lines in quarantine', () => {
  it('are listed with time, ticket, gate, direction and verdict, and change nothing', async () => {
    const phone = await newPhone(test, venue, { name: 'Lost' });
    expect([await stateOf(phone.id), await quarantineOf(phone.id)]).toEqual([null, null]);
    const gate = await newGate('Balcony');
    const [one, two] = await newTickets(test, venue, { event, count: 2 });
    const other = await newTicket(test, venue, { event });
    const sent = test.on(venue).post('/scan/ticket/').set('Authorization', phone.authorization);
    const online = randomUUID();
    await sent.send({ qrcode_data: other.code, scan_id: online }).expect(200);
    await wipe(phone.id);
    const first = randomUUID();
    await handOver(phone.bearer, [
      lineOf({ scan_id: first, qrcode_data: one!.code, gate, clock_offset_ms: 60_000, clock_error_ms: 1500, tickets: 2 }),
      lineOf({ ticket: two!.id, direction: 'exit' }),
      lineOf({ ticket: randomUUID(), verdict: 'refused' }),
      lineOf({ scan_id: online, qrcode_data: other.code, mode: 'online' }),
      JSON.stringify({
        kind: 'undo',
        scan_id: randomUUID(),
        undoes: first,
        reason: 'wrong door',
        sequence: 5,
        mode: 'offline',
        device_time: '2026-11-20T20:32:00Z',
      }),
      'not a line',
    ]);
    const view = await quarantineOf(phone.id);
    expect(view).toMatchObject({ total: 6, unseen: 6 });
    const reference = expect.stringMatching(/^[0-9A-Z]{8}$/);
    const common = {
      isSeen: false,
      isRecorded: false,
      event: 'Jazz',
      reference,
      now: 'expected',
      href: expect.stringContaining('/tickets/'),
    };
    const unknown = { event: null, reference: null, href: null, now: null };
    expect(view!['lines']).toMatchObject([
      {
        ...common,
        kind: 'scan',
        direction: 'entry',
        verdict: 'admitted',
        gateName: 'Balcony',
        tickets: 2,
        at: '2026-11-20T20:32:07.000Z',
        errorMs: 1500,
      },
      { ...common, kind: 'scan', direction: 'exit', gateName: null },
      { ...common, ...unknown, verdict: 'refused' },
      { ...common, now: 'inside', isRecorded: true },
      { ...common, kind: 'undo', direction: null, verdict: null },
      { ...unknown, kind: null, text: 'not a line' },
    ]);
    const [shown] = await linesOf(phone.id);
    const [stored] = await test.database.query<{ id: string; status: string }>(
      `select reservation_id as id, status from "${venue.schemaName}".ticket where id = $1`,
      [one!.id],
    );
    expect([shown!.reference, stored!.status]).toEqual([referenceOf(stored!.id), 'K']);
  });

  it('are marked as seen up to the last line that was shown; later ones stay to see', async () => {
    const phone = await newPhone(test, venue, { name: 'Lost again' });
    await wipe(phone.id);
    await handOver(phone.bearer, [lineOf({ ticket: randomUUID() }), lineOf({ ticket: randomUUID() })]);
    const shown = await linesOf(phone.id);
    await handOver(phone.bearer, [lineOf({ ticket: randomUUID() })]);
    expect(await stateOf(phone.id)).toBe('unseen');
    await staff.act('devices', phone.id, 'quarantine', { upTo: shown.at(-1)!.id });
    // The line that arrived meanwhile is first: nobody saw it.
    expect((await linesOf(phone.id)).map(({ isSeen }) => isSeen)).toEqual([false, true, true]);
    expect(await stateOf(phone.id)).toBe('unseen');
    for (const upTo of ['x', '', '-1', '9'.repeat(30), "1' or true"]) await staff.act('devices', phone.id, 'quarantine', { upTo });
    expect(await stateOf(phone.id)).toBe('unseen');
    await staff.act('devices', phone.id, 'quarantine', { upTo: (await linesOf(phone.id))[0]!.id });
    expect(await stateOf(phone.id)).toBe('seen');
    const listed = await staff.list('devices', { 'filters.quarantine': 'seen' });
    expect(listed.records!.map(({ id }) => id)).toEqual([phone.id]);
    const who = await test.database.query<{ seen_by: string }>(
      `select distinct seen_by from "${venue.schemaName}".quarantine_line where device_id = $1`,
      [phone.id],
    );
    expect(who).toEqual([{ seen_by: expect.any(String) }]);
  });

  it('of another place cannot be read or marked', async () => {
    const phone = await newPhone(test, venue);
    await handOver(phone.bearer, [lineOf({ ticket: randomUUID() })]);
    const stranger = await staffOf(test, await test.newTenant());
    expect(await quarantineOf(phone.id, stranger)).toBeNull();
    await stranger.act('devices', phone.id, 'quarantine', { upTo: (await linesOf(phone.id))[0]!.id });
    expect(await stateOf(phone.id)).toBe('unseen');
  });
});

describe('a move of a device', () => {
  const contact = async (phone: { authorization: string }) => {
    const { body } = await test.on(venue).post('/scan/contact/').set('Authorization', phone.authorization).send({}).expect(200);
    return (body as { device: { event: string | null; gate: string | null; moves: number } }).device;
  };

  it('is chosen on its page, and its phone hears it', async () => {
    const [gate, far] = [await newGate('Upper gate'), await newGate('Far gate', (await newEvent(test, venue)).id)];
    const phone = await newPhone(test, venue);
    const { view } = await staff.look('devices', phone.id, 'move');
    const [events, gates] = view!['fields'] as { options: { value: string; label: string }[] }[];
    expect(events!.options).toContainEqual({ value: event.id, label: 'Jazz' });
    expect(gates!.options.map(({ label }) => label)).toContain('Upper gate');
    expect(gates!.options.find(({ value }) => value === far)!.label).toMatch(/^Far gate \(.+\)$/);
    expect(await contact(phone)).toMatchObject({ event: null, gate: null, moves: 0 });
    await staff.act('devices', phone.id, 'move', { eventId: event.id, gateId: gate });
    expect(await contact(phone)).toMatchObject({ event: event.id, gate, moves: 1 });
    const refused = await staff.act('devices', phone.id, 'move', { eventId: event.id, gateId: far });
    expect(refused.record!.errors['gateId']!.message).toContain('another event');
    await staff.act('devices', phone.id, 'move', { eventId: '', gateId: '' });
    expect(await contact(phone)).toMatchObject({ event: null, gate: null, moves: 2 });
  });

  it('from the live page of the door changes the gate alone', async () => {
    const gate = await newGate('Side gate');
    const phone = await newPhone(test, venue, { eventId: event.id });
    await staff.act('devices', phone.id, 'move', { gateId: gate });
    expect(await contact(phone)).toMatchObject({ event: event.id, gate, moves: 1 });
    await staff.act('devices', phone.id, 'move', { gateId: gate });
    expect(await contact(phone)).toMatchObject({ event: event.id, gate, moves: 2 });
  });

  it('to an event and one to a gate of another event exclude each other when they happen at once', async () => {
    // Verified to fail without the lock on the device: both are then checked against the place before, and both succeed.
    const late = await newEvent(test, venue);
    const gate = await newGate('Jazz gate', event.id);
    const place = (id: string, to: object) =>
      test
        .inside(venue, () => test.app.get(DeviceCareService).place(id, to))
        .then(() => 'moved')
        .catch((error: { field: string }) => error.field);
    for (let round = 0; round < 10; round += 1) {
      const phone = await newPhone(test, venue, { eventId: event.id });
      const outcomes = await Promise.all([place(phone.id, { eventId: late.id }), place(phone.id, { gateId: gate })]);
      expect(outcomes.toSorted()).toEqual(['gateId', 'moved']);
    }
  });
});
