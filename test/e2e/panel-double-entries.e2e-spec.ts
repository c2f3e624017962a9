import { randomUUID } from 'node:crypto';
import { GatesService, ScanConflictsService } from '#scan';
import type { TenantIdentity } from '#tenancy';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newDevice, newEvent, newTicket, type PairedDevice } from '../support/builders.js';
import { recordFaults, type PanelClient } from '../support/panel-client.js';
import { staffOf } from '../support/panel-staff.js';
import { scanApi } from '../support/scan-api.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

let test: TestApp;
let venue: TenantIdentity;
let staff: PanelClient;
let device: PairedDevice;
let other: PairedDevice;
let gate: string;

beforeAll(async () => {
  test = await startTestApp();
  venue = await test.newTenant();
  staff = await staffOf(test, venue, 'Zoé Staff');
  device = await newDevice(test, venue, 'Door 1');
  other = await newDevice(test, venue, 'Door 2');
  gate = await test.inside(venue, async () => (await test.app.get(GatesService).create({ name: 'Main door' })).id);
});
afterAll(() => test.close());

const { call, scan } = scanApi(() => ({ test, venue, device }));

/** A ticket that came in with a connection, and then at a device without one. @returns the double entry */
async function cameInTwice(): Promise<{ id: string; eventId: string; ticketId: string; scanId: string }> {
  const event = await newEvent(test, venue);
  const ticket = await newTicket(test, venue, { event });
  await scan({ qrcode_data: ticket.code, gate }).expect(200);
  const late = { scan_id: randomUUID(), sequence: 0, verdict: 'admitted', mode: 'offline', ticket: ticket.id, clock_error_ms: 1500 };
  const lines = [JSON.stringify({ ...late, device_time: new Date(Date.now() + 60_000).toISOString() })];
  await call('/scan/batch/', { lines }, other).expect(200);
  const { records } = await staff.list('double-entries', { 'filters.eventId': event.id });
  expect(records).toHaveLength(1);
  return { id: records![0]!.id, eventId: event.id, ticketId: ticket.id, scanId: late.scan_id };
}

const undecided = async (event: string): Promise<unknown> => {
  const { view } = await staff.page('scan-log', 'door', { event, part: 'now' });
  return (view!['board'] as { undecided: number }).undecided;
};

describe('the ledger of double entries', () => {
  it('shows both gates, both times with their errors and both devices', async () => {
    const { id, eventId, ticketId } = await cameInTwice();
    const { params, title } = (await staff.look('double-entries', id)).record!;
    expect(title).toBe('Ada Martin');
    expect(params).toMatchObject({
      decision: 'open',
      eventId,
      ticketId,
      firstGateId: gate,
      firstDeviceId: device.id,
      first: expect.stringMatching(/\d\d:\d\d:\d\d ± 0 s$/),
      laterGateId: null,
      laterDeviceId: other.id,
      later: expect.stringMatching(/\d\d:\d\d:\d\d ± 1\.5 s$/),
    });
    expect(Date.parse(String(params['firstAt']))).toBeLessThanOrEqual(Date.parse(String(params['laterAt'])));
    const { facts, fields } = (await staff.look('double-entries', id, 'decide')).view as { facts: string[]; fields: object[] };
    expect(facts[0]).toMatch(/^First: .* ± 0 s, Main door, Door 1$/);
    expect(facts[1]).toMatch(/^Later: .* ± 1\.5 s, no gate, Door 2$/);
    expect(fields).toHaveLength(2);
  });

  it('shows a ticket for another event that came in, with its event, and offers what can be decided about one entry', async () => {
    const [door, own] = [await newEvent(test, venue), await newEvent(test, venue, { name: 'Bal folk' })];
    const ticket = await newTicket(test, venue, { event: own });
    const line = { scan_id: randomUUID(), sequence: 0, verdict: 'admitted', mode: 'offline', ticket: ticket.id, event: door.id, gate };
    await call('/scan/batch/', { lines: [JSON.stringify({ ...line, device_time: new Date().toISOString() })] }).expect(200);
    const { records } = await staff.list('double-entries', { 'filters.eventId': door.id, 'filters.kind': 'wrong_event' });
    const [{ id, params }] = records as unknown as [{ id: string; params: object }];
    expect(params).toMatchObject({ kind: 'wrong_event', decision: 'open', firstGateId: gate, laterAt: null });
    expect((await staff.look('double-entries', id)).record!.params).toMatchObject({ ticketEventId: own.id, later: null });
    await until(
      () => undecided(door.id),
      (count) => count === 1,
    );
    type Form = { lead: string[]; facts: string[]; fields: { options: { value: string }[] }[] };
    const { lead, facts, fields } = (await staff.look('double-entries', id, 'decide')).view as unknown as Form;
    expect(lead[0]).toMatch(/for another event/);
    expect(facts).toEqual([expect.stringMatching(/^Entry: .*, Main door, Door 1$/), expect.stringMatching(/^Ticket for: Bal folk, /)]);
    expect(fields[0]!.options.map(({ value }) => value)).toEqual(['let_stay', 'was_refused']);
    expect(Object.keys(recordFaults(await staff.act('double-entries', id, 'decide', { decision: 'same_person' })))).toEqual(['decision']);
    await staff.act('double-entries', id, 'decide', { decision: 'let_stay' });
    expect((await staff.look('double-entries', id)).record!.params).toMatchObject({ decision: 'let_stay' });
  });

  it('takes a decision with a note, and another one that replaces it, and keeps both with who and when', async () => {
    const { id, eventId } = await cameInTwice();
    await until(
      () => undecided(eventId),
      (count) => count === 1,
    );
    expect(recordFaults(await staff.act('double-entries', id, 'decide', { decision: 'open' }))).toEqual({ decision: 'Choose a decision.' });
    const long = { decision: 'let_stay', note: 'x'.repeat(501) };
    expect(Object.keys(recordFaults(await staff.act('double-entries', id, 'decide', long)))).toEqual(['note']);
    await staff.act('double-entries', id, 'decide', { decision: 'let_stay', note: ' twins ' });
    const colleague = await staffOf(test, venue, 'Ada Colleague');
    await colleague.act('double-entries', id, 'decide', { decision: 'same_person' });
    const { params } = (await staff.look('double-entries', id)).record!;
    expect(params).toMatchObject({
      decision: 'same_person',
      'history.items.0.title': 'Same person twice',
      'history.items.0.details': 'Ada Colleague',
      'history.items.1.title': 'Let stay',
      'history.items.1.details': 'Zoé Staff · twins',
    });
    const filtered = async (decision: string) =>
      (await staff.list('double-entries', { 'filters.eventId': eventId, 'filters.decision': decision })).records!.length;
    expect([await filtered('open'), await filtered('same_person')]).toEqual([0, 1]);
    await until(
      () => undecided(eventId),
      (count) => count === 0,
    );
  });

  it('shows that a device took its entry back', async () => {
    const { id, scanId } = await cameInTwice();
    const undo = { scan_id: randomUUID(), sequence: 1, kind: 'undo', undoes: scanId, reason: 'sent away', mode: 'online' };
    const lines = [JSON.stringify({ ...undo, device_time: new Date().toISOString() })];
    expect((await call('/scan/batch/', { lines }, other).expect(200)).body.results).toMatchObject([{ state: 'applied' }]);
    expect((await staff.look('double-entries', id)).record!.params).toMatchObject({
      decision: 'was_refused',
      'history.items.0.title': 'Was refused',
      'history.items.0.details': 'Door 2 · sent away',
    });
  });

  it('gives simultaneous decisions an order, the last of which counts, and refuses the fifty-first', async () => {
    const { id } = await cameInTwice();
    const user = randomUUID();
    const decisions = ['let_stay', 'was_refused', 'same_person'];
    const decide = (decision: unknown) => test.inside(venue, () => test.app.get(ScanConflictsService).decide(id, decision, '', user));
    await Promise.all(Array.from({ length: 50 }, (_, index) => decide(decisions[index % 3])));
    const kept = await test.inside(venue, () => test.app.get(ScanConflictsService).history(id));
    expect(kept.map(({ number }) => number)).toEqual(Array.from({ length: 50 }, (_, index) => 50 - index));
    expect((await staff.look('double-entries', id)).record!.params['decision']).toBe(kept[0]!.decision);
    expect(Object.keys(recordFaults(await staff.act('double-entries', id, 'decide', { decision: 'let_stay' })))).toEqual(['decision']);
    expect(await test.inside(venue, () => test.app.get(ScanConflictsService).decide(randomUUID(), 'let_stay', '', user))).toBe(false);
  });

  it('belongs to the place, and changes no ticket', async () => {
    const { id, ticketId } = await cameInTwice();
    const stranger = await staffOf(test, await test.newTenant());
    expect((await stranger.list('double-entries')).records).toEqual([]);
    await stranger.act('double-entries', id, 'decide', { decision: 'let_stay' });
    const rows = () => test.database.query(`select *, xmin::text as version from "${venue.schemaName}".ticket where id = $1`, [ticketId]);
    const before = await rows();
    expect((await staff.look('double-entries', id)).record!.params['decision']).toBe('open');
    await staff.act('double-entries', id, 'decide', { decision: 'was_refused' });
    expect(await rows()).toEqual(before);
  });
});
