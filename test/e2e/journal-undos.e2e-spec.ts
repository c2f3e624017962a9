import { randomUUID } from 'node:crypto';
import { InsideAuditService, ScanConflictsService } from '#scan';
import type { TenantIdentity } from '#tenancy';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { newDevice, newEvent, newTickets, type BuiltTicket, type PairedDevice } from '../support/builders.js';
import { scanApi } from '../support/scan-api.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let venue: TenantIdentity;
let device: PairedDevice;
let other: PairedDevice;
let event: Awaited<ReturnType<typeof newEvent>>;

beforeAll(async () => {
  test = await startTestApp();
  venue = await test.newTenant();
  device = await newDevice(test, venue, 'Door 1');
  other = await newDevice(test, venue, 'Balcony');
  event = await newEvent(test, venue, { reentry: true });
});
afterAll(() => test.close());
afterEach(async () => expect(await test.inside(venue, () => test.app.get(InsideAuditService).drifts())).toEqual([]));

const { call, scan, undo, log } = scanApi(() => ({ test, venue, device }));
const party = (count: number): Promise<[BuiltTicket, ...BuiltTicket[]]> =>
  newTickets(test, venue, { event, count }) as Promise<[BuiltTicket, ...BuiltTicket[]]>;
const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
const line = (members: object): string =>
  JSON.stringify({ scan_id: randomUUID(), sequence: 0, verdict: 'admitted', mode: 'offline', device_time: minutesAgo(5), ...members });
const taken = (undoes: string, members: object = {}): string =>
  line({ kind: 'undo', undoes, reason: 'wrong door', verdict: undefined, ...members });
const send = async (lines: string[], by = device) => (await call('/scan/batch/', { lines }, by).expect(200)).body.results;
const statuses = async (tickets: readonly BuiltTicket[]): Promise<string[]> =>
  (
    await test.database.query<{ status: string }>(`select status from "${venue.schemaName}".ticket where id = any($1) order by id`, [
      tickets.map(({ id }) => id),
    ])
  ).map(({ status }) => status);

it('takes entries of the journal and of requests back, by the time of the line, and repeats the same answers', async () => {
  const [one, two] = await party(2);
  const entry = randomUUID();
  const online = randomUUID();
  await scan({ qrcode_data: two!.code, scan_id: online }).expect(200);
  const lines = [
    line({ ticket: one.id, scan_id: entry, device_time: minutesAgo(120) }),
    taken(entry, { device_time: minutesAgo(110) }),
    taken(online, { device_time: minutesAgo(0) }),
    taken(entry),
    taken(randomUUID()),
  ];
  const results = await send(lines);
  expect(results.map(({ state, reason, outcome }: Record<string, string>) => [state, reason, outcome])).toEqual([
    ['applied', undefined, undefined],
    ['applied', undefined, undefined],
    ['applied', undefined, undefined],
    ['replayed', undefined, 'undone'],
    ['refused', 'unknown', undefined],
  ]);
  expect(await send(lines)).toEqual(results);
  expect(await statuses([one, two!])).toEqual(['K', 'K']);
  expect((await log(one.id)).map(({ action, outcome }) => `${action} ${outcome}`)).toEqual(['scan accepted', 'undo undone', 'undo undone']);
});

it('refuses an undo that comes too late by the time of the line, or after another movement', async () => {
  const [one, two] = await party(2);
  const [late, moved] = [randomUUID(), randomUUID()];
  const results = await send([
    line({ ticket: one.id, scan_id: late, device_time: minutesAgo(60) }),
    taken(late, { device_time: minutesAgo(40) }),
    line({ ticket: two!.id, scan_id: moved, device_time: minutesAgo(10) }),
    line({ ticket: two!.id, direction: 'exit', device_time: minutesAgo(9) }),
    taken(moved, { device_time: minutesAgo(8) }),
    taken(moved, { reason: '' }),
  ]);
  expect(results.map(({ state, reason }: Record<string, string>) => [state, reason])).toEqual([
    ['applied', undefined],
    ['refused', 'undo_expired'],
    ['applied', undefined],
    ['applied', undefined],
    ['refused', 'superseded'],
    ['refused', 'malformed'],
  ]);
});

it('records several people under one code, and puts those beyond the free tickets into the ledger', async () => {
  const tickets = await party(4);
  await scan({ qrcode_data: tickets[1]!.code }, other).expect(200);
  const entry = randomUUID();
  const lines = [line({ qrcode_data: tickets[0].code, scan_id: entry, tickets: 4, device_time: new Date().toISOString() })];
  const [result] = await send(lines);
  expect(result).toMatchObject({ state: 'applied', reason: 'double_entry', other: { device_name: 'Balcony' } });
  expect(result.moved).toHaveLength(3);
  expect(result.moved[0]).toBe(tickets[0].id);
  expect(await send(lines)).toEqual([result]);
  const conflicts = () =>
    test.database.query(`select 1 from "${venue.schemaName}".scan_conflict where ticket_id = any($1)`, [tickets.map(({ id }) => id)]);
  expect(await conflicts()).toHaveLength(1);
  // An undo takes all of its tickets back, and not that of the other device.
  expect(await send([taken(entry, { device_time: new Date().toISOString() })])).toMatchObject([{ state: 'applied' }]);
  expect((await statuses(tickets)).toSorted()).toEqual(['K', 'K', 'K', 'S']);
});

it('records one more of the reservation under a code whose ticket is inside', async () => {
  const tickets = await party(3);
  const entered = async (by = device) => {
    const [result] = await send([line({ qrcode_data: tickets[0].code, tickets: 1, device_time: new Date().toISOString() })], by);
    return [result.state, result.reason, result.moved];
  };
  expect(await entered()).toEqual(['applied', undefined, [tickets[0].id]]);
  const [state, reason, moved] = await entered(other);
  expect([state, reason]).toEqual(['applied', undefined]);
  expect(moved).toHaveLength(1);
  expect(tickets.slice(1).map(({ id }) => id)).toContain(moved[0]);
  await entered();
  expect(await statuses(tickets)).toEqual(['S', 'S', 'S']);
  // Nobody is left: somebody came in twice.
  expect((await entered(other)).slice(0, 2)).toEqual(['duplicate_of', 'double_entry']);
  expect(await send([line({ qrcode_data: tickets[0].code, tickets: 0 })])).toMatchObject([{ state: 'refused', reason: 'malformed' }]);
});

it('takes a group back as a whole or not at all', async () => {
  const tickets = await party(3);
  const entry = randomUUID();
  await scan({ qrcode_data: tickets[0].code, tickets: 3, scan_id: entry }).expect(200);
  await scan({ qrcode_data: tickets[2]!.code, direction: 'exit' }).expect(200);
  expect((await undo({ scan_id: entry, reason: 'too many' }).expect(200)).body).toMatchObject({ success: false, reason: 'superseded' });
  expect(await statuses(tickets)).toEqual(['S', 'S', 'S']);
});

describe('a double entry that the device takes back', () => {
  interface Doubled {
    readonly id: string;
    readonly decision: string | null;
    readonly decisions: number;
  }
  const conflictOf = async ({ id }: BuiltTicket): Promise<Doubled> =>
    (await test.database.query<Doubled>(`select * from "${venue.schemaName}".scan_conflict where ticket_id = $1`, [id]))[0]!;
  /** Lets a ticket in that was inside before. @returns the ticket and the id of the attempt */
  async function cameInTwice(): Promise<[BuiltTicket, string]> {
    const [ticket] = await party(1);
    await scan({ qrcode_data: ticket.code }, other).expect(200);
    const entry = randomUUID();
    const [result] = await send([line({ ticket: ticket.id, scan_id: entry, device_time: new Date().toISOString() })]);
    expect(result.reason).toBe('double_entry');
    return [ticket, entry];
  }

  it('is decided in the ledger, in the name of the device and with its reason, and changes no ticket', async () => {
    const [ticket, entry] = await cameInTwice();
    expect(await conflictOf(ticket)).toMatchObject({ decision: null });
    const lines = [taken(entry, { reason: 'sent away' })];
    const results = await send(lines);
    expect(results).toMatchObject([{ state: 'applied' }]);
    expect(await send(lines)).toEqual(results);
    const { id, ...ledger } = await conflictOf(ticket);
    expect(ledger).toMatchObject({ decision: 'was_refused', decisions: 1 });
    const history = await test.inside(venue, () => test.app.get(ScanConflictsService).history(id));
    expect(history).toMatchObject([{ number: 1, decision: 'was_refused', note: 'sent away', userId: null, deviceName: 'Door 1' }]);
    expect(await statuses([ticket])).toEqual(['S']);
    expect((await log(ticket.id)).map(({ action, outcome }) => `${action} ${outcome}`)).toContain('undo undone');
  });

  it('keeps what staff decided before, and is nothing that another device can take back', async () => {
    const [ticket, entry] = await cameInTwice();
    const { id } = await conflictOf(ticket);
    expect(await send([taken(entry)], other)).toMatchObject([{ state: 'refused', reason: 'unknown' }]);
    await test.inside(venue, () => test.app.get(ScanConflictsService).decide(id, 'let_stay', '', randomUUID()));
    expect(await send([taken(entry)])).toMatchObject([{ state: 'applied' }]);
    expect(await conflictOf(ticket)).toMatchObject({ decision: 'let_stay', decisions: 1 });
  });
});
