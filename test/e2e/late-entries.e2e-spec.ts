import { randomUUID } from 'node:crypto';
import { GatesService, InsideAuditService } from '#scan';
import type { TenantIdentity } from '#tenancy';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { newDevice, newEvent, newTicket, newTickets, type BuiltTicket, type PairedDevice } from '../support/builders.js';
import { scanApi } from '../support/scan-api.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let venue: TenantIdentity;
/** A phone that had no connection when it let somebody in. */
let cutOff: PairedDevice;
let device: PairedDevice;
let supervisor: PairedDevice;
let event: Awaited<ReturnType<typeof newEvent>>;
let gate: string;

beforeAll(async () => {
  test = await startTestApp();
  venue = await test.newTenant();
  cutOff = await newDevice(test, venue, 'Cellar');
  device = await newDevice(test, venue, 'Door 1');
  supervisor = await newDevice(test, venue, 'Chief');
  await test.database.query(`update "${venue.schemaName}".scanning_device set role = 'supervisor' where id = $1`, [supervisor.id]);
  event = await newEvent(test, venue, { reentry: true });
  gate = (await test.inside(venue, () => test.app.get(GatesService).create({ name: 'Main door' }))).id;
});
afterAll(() => test.close());
afterEach(async () => expect(await test.inside(venue, () => test.app.get(InsideAuditService).drifts())).toEqual([]));

const { call, scan, undo, log } = scanApi(() => ({ test, venue, device }));
const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
const line = (members: object): string =>
  JSON.stringify({ scan_id: randomUUID(), sequence: 0, verdict: 'admitted', mode: 'offline', ...members });
const entry = ({ id }: BuiltTicket, minutes = 60, members: object = {}): string =>
  line({ ticket: id, device_time: minutesAgo(minutes), ...members });
const exit = ({ id }: BuiltTicket, minutes = 30, members: object = {}): string =>
  line({ ticket: id, gate, direction: 'exit', device_time: minutesAgo(minutes), ...members });
const send = async (lines: string[], by = device): Promise<Array<[state: string, reason?: string]>> =>
  (await call('/scan/batch/', { lines }, by).expect(200)).body.results.map(({ state, reason }: Record<string, string>) => [state, reason]);
const notInside = [['refused', 'not_inside']];

async function placeOf({ id }: BuiltTicket): Promise<string> {
  const [row] = await test.database.query<{ place: string }>(
    `select case when status = 'K' then 'expected' when left_at is null then 'inside'
       else 'left ' || round(extract(epoch from now() - left_at) / 60) || ' minutes ago' end as place
     from "${venue.schemaName}".ticket where id = $1`,
    [id],
  );
  return row?.place ?? 'gone';
}
const logOf = async ({ id }: BuiltTicket): Promise<string[]> => (await log(id)).map(({ action, outcome }) => `${action} ${outcome}`);

it('lets out whom a person let out before the entry was known', async () => {
  const ticket = await newTicket(test, venue, { event });
  const asked = randomUUID();
  const refusal = await scan({ qrcode_data: ticket.code, gate, direction: 'exit', scan_id: asked }).expect(200);
  expect(refusal.body).toMatchObject({ success: false, reason: 'not_inside', next_step: { code: 'let_out' } });
  // The tap: first under the id of the refused attempt, then under one of its own.
  expect(await send([exit(ticket, 30, { scan_id: asked, mode: 'online' })])).toEqual([['replayed', undefined]]);
  expect(await send([exit(ticket)])).toEqual(notInside);
  expect(await placeOf(ticket)).toBe('expected');

  const late = [entry(ticket)];
  expect(await send(late, cutOff)).toEqual([['applied', undefined]]);
  expect(await placeOf(ticket)).toBe('left 30 minutes ago');
  expect(await logOf(ticket)).toEqual(['scan not_inside', 'scan not_inside', 'scan accepted', 'scan left']);
  expect((await log(ticket.id)).at(-1)?.device_id).toBe(device.id);
  await send(late, cutOff);
  expect(await logOf(ticket)).toHaveLength(4);
  // The exit counts once: whoever comes in again since is inside.
  expect(await send([entry(ticket, 20)], cutOff)).toEqual([['applied', undefined]]);
  expect(await placeOf(ticket)).toBe('inside');
});

it('keeps inside whom nobody let out, and who came in after the exit', async () => {
  const [asked, later] = (await newTickets(test, venue, { event, count: 2 })) as [BuiltTicket, BuiltTicket];
  await scan({ qrcode_data: asked.code, gate, direction: 'exit', scan_id: randomUUID() }).expect(200);
  await send([exit(asked, 30, { verdict: 'refused' })]);
  expect(await send([exit(later)])).toEqual(notInside);
  await send([entry(asked), entry(later, 10)], cutOff);
  expect([await placeOf(asked), await placeOf(later)]).toEqual(['inside', 'inside']);
});

it('keeps outside whose entry is older than the exit that is known, and counts a re-entry after it', async () => {
  const ticket = await newTicket(test, venue, { event });
  await send([entry(ticket, 90), exit(ticket, 30)]);
  await send([entry(ticket, 60)], cutOff);
  expect(await placeOf(ticket)).toBe('left 30 minutes ago');
  expect(await logOf(ticket)).toEqual(['scan accepted', 'scan left', 'scan readmitted', 'scan left']);
  await send([entry(ticket, 20)], cutOff);
  expect(await placeOf(ticket)).toBe('inside');
});

it('lets each of a group out whom a person let out', async () => {
  const tickets = (await newTickets(test, venue, { event, count: 3 })) as [BuiltTicket, BuiltTicket, BuiltTicket];
  await send([exit(tickets[0]), exit(tickets[2], 20, { tickets: 1, ticket: undefined, qrcode_data: tickets[2].code })]);
  expect(await send([entry(tickets[0], 60, { tickets: 3 })], cutOff)).toEqual([['applied', undefined]]);
  expect(await Promise.all(tickets.map(placeOf))).toEqual(['left 30 minutes ago', 'inside', 'left 20 minutes ago']);
});

it('takes the letting out back, before and after the entry is known', async () => {
  const [before, inJournal, after] = (await newTickets(test, venue, { event, count: 3 })) as [BuiltTicket, BuiltTicket, BuiltTicket];
  const ids = [randomUUID(), randomUUID(), randomUUID()] as const;
  await send([exit(before, 3, { scan_id: ids[0] }), exit(inJournal, 3, { scan_id: ids[1] }), exit(after, 3, { scan_id: ids[2] })]);
  for (const replayed of [false, true]) {
    const answer = await undo({ scan_id: ids[0], reason: 'Undone at once' }).expect(200);
    expect([answer.body.success, 'idempotency-replayed' in answer.headers]).toEqual([true, replayed]);
  }
  const taken = { kind: 'undo', verdict: undefined, undoes: ids[1], reason: 'Undone at once', device_time: minutesAgo(2) };
  expect(await send([line(taken), line(taken)])).toEqual([
    ['applied', undefined],
    ['replayed', undefined],
  ]);
  expect(await placeOf(before)).toBe('expected');
  await send([entry(before), entry(inJournal), entry(after)], cutOff);
  expect([await placeOf(before), await placeOf(inJournal), await placeOf(after)]).toEqual(['inside', 'inside', 'left 3 minutes ago']);
  await undo({ scan_id: ids[2], reason: 'Undone at once' }).expect(200);
  expect(await placeOf(after)).toBe('inside');
});

it('counts an exit and its entry that arrive at once, whichever is first', async () => {
  // Verified to fail without the comparison of sequences in the updates: some tickets stay inside.
  const tickets = await newTickets(test, venue, { event, count: 8 });
  for (const [at, ticket] of tickets.entries()) {
    const members = at % 2 === 0 ? {} : { tickets: 1 };
    await test.database.race(`select 1 from "${venue.schemaName}".ticket where id = $1 for update`, [ticket.id], () =>
      Promise.all([send([exit(ticket, 30, members)]), send([entry(ticket, 60, members)], cutOff)]),
    );
  }
  expect(await Promise.all(tickets.map(placeOf))).toEqual(tickets.map(() => 'left 30 minutes ago'));
});

it('takes the letting out back while the entry arrives', async () => {
  // Verified to fail without the comparison of sequences: the exit counts although it was taken back.
  const tickets = await newTickets(test, venue, { event, count: 4 });
  for (const ticket of tickets) {
    const scanId = randomUUID();
    await send([exit(ticket, 3, { scan_id: scanId })]);
    const [, answer] = await test.database.race(`select 1 from "${venue.schemaName}".ticket where id = $1 for update`, [ticket.id], () =>
      Promise.all([send([entry(ticket)], cutOff), undo({ scan_id: scanId, reason: 'Undone at once' }).then(({ body }) => body)]),
    );
    expect(answer).toMatchObject({ success: true });
  }
  expect(await Promise.all(tickets.map(placeOf))).toEqual(tickets.map(() => 'inside'));
});

describe('a line about a ticket for another event than that of the door', () => {
  const tonight = () => newEvent(test, venue, { name: 'Tonight', startsAt: new Date() });
  const ledger = (ticketId: string) =>
    test.database.query(
      `select kind, event_id, first_device_id, first_gate_id, first_error_ms, later_device_id, decision
       from "${venue.schemaName}".scan_conflict where ticket_id = $1`,
      [ticketId],
    );
  const answers = async (lines: string[]) => (await call('/scan/batch/', { lines }).expect(200)).body.results;
  const entryOf = (members: object): string => line({ device_time: minutesAgo(5), ...members });
  const expected = { state: 'refused', reason: 'wrong_event' };

  it('leaves the ticket expected, puts the entry into the ledger of the door once, and says for which event it is', async () => {
    const door = await tonight();
    const ticket = await newTicket(test, venue, { event });
    const text = entryOf({ qrcode_data: ticket.code, event: door.id, gate, clock_error_ms: 40 });
    const [result] = await answers([text]);
    expect(result).toMatchObject({ ...expected, event: { uuid: event.id, name: event.name, start: expect.any(String) } });
    expect(await answers([text])).toEqual([result]);
    const row = { kind: 'wrong_event', event_id: door.id, first_device_id: device.id, first_gate_id: gate, first_error_ms: 40 };
    expect(await ledger(ticket.id)).toEqual([{ ...row, later_device_id: null, decision: null }]);
    expect((await log(ticket.id)).map(({ outcome }) => outcome)).toEqual(['wrong_event']);
    // On the right day its holder comes in.
    expect((await scan({ qrcode_data: ticket.code, event_uuid: event.id })).body.success).toBe(true);
    // The attempt itself, when it arrives after its line, is answered the same.
    const { scan_id: scanId } = JSON.parse(text) as { scan_id: string };
    const repeated = await scan({ qrcode_data: ticket.code, event_uuid: door.id, scan_id: scanId, gate });
    expect(repeated.body).toMatchObject({ success: false, reason: 'wrong_event', event: { uuid: event.id } });
  });

  it('knows the door of older apps, which do not name it, by the list that decided', async () => {
    const door = await tonight();
    const own = await newTicket(test, venue, { event: door });
    const stranger = await newTicket(test, venue, { event });
    const pack = await test.on(venue).get(`/scan/pack/?event=${door.id}`).set('Authorization', device.authorization).expect(200);
    const { position } = JSON.parse(pack.body.payload as string) as { position: string };
    const results = await answers([own, stranger].map(({ id }) => entryOf({ ticket: id, position })));
    expect(results).toMatchObject([{ state: 'applied' }, expected]);
    expect(await ledger(stranger.id)).toMatchObject([{ kind: 'wrong_event', event_id: door.id }]);
    // A position that says nothing: as before.
    expect(await answers([entryOf({ ticket: stranger.id, position: 'list 7' })])).toMatchObject([{ state: 'applied' }]);
  });

  it('moves nobody of a group, and no exit, and is taken back by its device', async () => {
    const door = await tonight();
    const [first, second] = await newTickets(test, venue, { event, count: 2 });
    const together = entryOf({ ticket: first!.id, event: door.id, tickets: 2 });
    const leaving = entryOf({ ticket: second!.id, event: door.id, direction: 'exit' });
    const results = await answers([together, leaving, entryOf({ ticket: second!.id, event: 'x' })]);
    expect(results).toMatchObject([{ ...expected, moved: [] }, expected, { reason: 'malformed' }]);
    expect([await ledger(first!.id), await ledger(second!.id)]).toMatchObject([[{ kind: 'wrong_event' }], []]);
    const { scan_id: undoes } = JSON.parse(together) as { scan_id: string };
    const undo = { kind: 'undo', undoes, reason: 'went away', verdict: undefined };
    expect(await answers([entryOf(undo)])).toMatchObject([{ state: 'applied' }]);
    expect(await ledger(first!.id)).toMatchObject([{ decision: 'was_refused' }]);
  });
});
