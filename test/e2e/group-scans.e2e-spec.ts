import { randomUUID } from 'node:crypto';
import { PricesService } from '#catalogue';
import { GatesService, InsideAuditService } from '#scan';
import type { TenantIdentity } from '#tenancy';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newDevice, newEvent, newTickets, type BuiltTicket, type PairedDevice } from '../support/builders.js';
import { scanApi } from '../support/scan-api.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let venue: TenantIdentity;
let device: PairedDevice;
let event: Awaited<ReturnType<typeof newEvent>>;
let gate: string;

beforeAll(async () => {
  test = await startTestApp();
  venue = await test.newTenant();
  device = await newDevice(test, venue, 'Door 1');
  event = await newEvent(test, venue, { reentry: true });
  gate = await test.inside(venue, async () => (await test.app.get(GatesService).create({ name: 'Main door' })).id);
});
afterAll(() => test.close());

const { call, scan, check, undo, status, log } = scanApi(() => ({ test, venue, device }));
const party = (count: number): Promise<[BuiltTicket, ...BuiltTicket[]]> =>
  newTickets(test, venue, { event, count }) as Promise<[BuiltTicket, ...BuiltTicket[]]>;
const drifts = () => test.inside(venue, () => test.app.get(InsideAuditService).drifts());

it('admits some tickets of a reservation now and others later with the same code, and never more than there are', async () => {
  const [first] = await party(5);
  const together = async (tickets: number, direction = 'entry') =>
    (await scan({ qrcode_data: first.code, gate, tickets, direction }).expect(200)).body;
  const three = await together(3);
  expect(three).toMatchObject({ success: true, group: { count: 5, inside: 3, expected: 2 } });
  expect(three.moved).toHaveLength(3);
  expect(three.moved[0]).toBe(first.id);
  expect(await together(3)).toMatchObject({
    success: false,
    reason: 'not_enough',
    message: 'Only 2 tickets of this reservation are left',
    available: 2,
    group: { inside: 3, expected: 2 },
  });
  expect(await together(2)).toMatchObject({ success: true, group: { inside: 5, expected: 0 } });
  expect(await together(1)).toMatchObject({ success: false, reason: 'not_enough', available: 0 });
  expect(await together(4, 'exit')).toMatchObject({ success: true, group: { inside: 1 } });
  expect(await together(2, 'exit')).toMatchObject({ success: false, reason: 'not_enough', available: 1 });
  expect(await together(4)).toMatchObject({ success: true, group: { inside: 5 } });
  expect((await log(first.id)).map(({ outcome }) => outcome)).toEqual([
    'accepted',
    'not_enough',
    'not_enough',
    'left',
    'not_enough',
    'readmitted',
  ]);
  expect(await drifts()).toEqual([]);
  await scan({ qrcode_data: first.code, tickets: 0 }).expect(400);
  await scan({ qrcode_data: first.code, tickets: 101 }).expect(400);
});

it('tells webhooks about each ticket once', async () => {
  const tickets = await party(3);
  await scan({ qrcode_data: tickets[0].code, tickets: 3 }).expect(200);
  // The worker may have moved the messages to the feed.
  const rows = await test.database.query<{ id: string; ticket: string }>(
    `select subject_id as id, data -> 'facts' -> 'ticket' ->> 'uuid' as ticket from shared.outbox where type = 'ticket.scanned'
     union all select subject_id, data ->> 'uuid' from "${venue.schemaName}".webhook_event where type = 'ticket.scanned'`,
  );
  const ids = tickets.map(({ id }) => id);
  const told = rows.filter(({ id }) => ids.includes(id));
  expect(told.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  expect(told.every(({ id, ticket }) => id === ticket)).toBe(true);
});

it('leaves out tickets that were given to somebody else', async () => {
  const [first, given] = await party(3);
  await test.database.query(`update "${venue.schemaName}".ticket set holder_key = 'bob', holder_email = 'bob@example.org' where id = $1`, [
    given!.id,
  ]);
  expect((await scan({ qrcode_data: first.code, tickets: 3 }).expect(200)).body).toMatchObject({ reason: 'not_enough', available: 2 });
  const { body } = await scan({ qrcode_data: first.code, tickets: 2 }).expect(200);
  expect(body.moved).not.toContain(given!.id);
});

it('replays an attempt byte for byte, and takes all of its tickets back with one undo', async () => {
  const [first] = await party(4);
  const request = { qrcode_data: first.code, gate, tickets: 3, scan_id: randomUUID() };
  const answer = await scan(request).expect(200);
  expect((await scan(request).expect(200)).text).toBe(answer.text);
  expect((await scan({ ...request, tickets: 2 }).expect(422)).body.code).toBe('scan.id_reused');
  const inside = async () => ((await status(event.id).expect(200)).body as { inside: number }).inside;
  const before = await inside();
  for (let round = 0; round < 2; round += 1) {
    expect((await undo({ scan_id: request.scan_id, reason: 'too many' }).expect(200)).body.success).toBe(true);
    expect(await inside()).toBe(before - 3);
  }
  expect(await drifts()).toEqual([]);
});

it('never admits more than there are when four devices ask at once', async () => {
  // Verified to fail without `for no key update`.
  const devices = await Promise.all([1, 2, 3, 4].map((number) => newDevice(test, venue, `Gate ${number}`)));
  for (let round = 0; round < 5; round += 1) {
    const tickets = await party(5);
    const ids = tickets.map(({ id }) => id);
    const answers = await test.database.race(`select 1 from "${venue.schemaName}".ticket where id = any($1) for update`, [ids], () =>
      Promise.all(Array.from({ length: 8 }, (_, at) => scan({ qrcode_data: tickets[at % 5]!.code, gate, tickets: 2 }, devices[at % 4]))),
    );
    expect(answers.map(({ status: code }) => code)).toEqual(Array.from({ length: 8 }, () => 200));
    const moved = answers.filter(({ body }) => body.success).flatMap(({ body }) => body.moved as string[]);
    expect(moved).toHaveLength(4);
    expect(new Set(moved).size).toBe(4);
  }
  expect(await drifts()).toEqual([]);
});

it('takes a group back once when three requests and a journal ask at once', async () => {
  // Verified to fail without the unique index `scan_log_undoes` and without the locks of `undoAttemptStatement`.
  const ids = (tickets: readonly BuiltTicket[]) => tickets.map(({ id }) => id);
  for (let round = 0; round < 4; round += 1) {
    const tickets = await party(4);
    const attempt = randomUUID();
    await scan({ qrcode_data: tickets[0].code, gate, tickets: 4, scan_id: attempt }).expect(200);
    const members = { sequence: round, mode: 'offline', device_time: new Date().toISOString(), reason: 'too many' };
    const taken = JSON.stringify({ kind: 'undo', scan_id: randomUUID(), undoes: attempt, ...members });
    const request = () => undo({ scan_id: attempt, reason: 'too many' });
    const locks = `select 1 from "${venue.schemaName}".ticket where id = any($1) for update`;
    const answers = await test.database.race(locks, [ids(tickets)], () =>
      Promise.all([request(), request(), request(), call('/scan/batch/', { lines: [taken] })]),
    );
    expect(answers.map(({ status: code, body }) => [code, body.success])).toEqual(Array.from({ length: 4 }, () => [200, true]));
    expect(answers[3].body.results).toMatchObject([{ state: expect.stringMatching(/^(applied|replayed)$/) }]);
    const undone = await test.database.query<{ ticket_id: string }>(
      `select ticket_id from "${venue.schemaName}".scan_log where action = 'undo' and undoes is not null and ticket_id = any($1)`,
      [ids(tickets)],
    );
    expect(undone.map(({ ticket_id: id }) => id).toSorted()).toEqual(ids(tickets).toSorted());
    const states = await test.database.query<{ status: string; sequence: number }>(
      `select status, sequence::int from "${venue.schemaName}".ticket where id = any($1)`,
      [ids(tickets)],
    );
    expect(states).toEqual(Array.from({ length: 4 }, () => ({ status: 'K', sequence: 2 })));
  }
  expect(await drifts()).toEqual([]);
});

it('lets a pass in once on each day of the venue, alone, at a gate and in a group', async () => {
  const days = await newEvent(test, venue, { endsAt: new Date(Date.now() + 3 * 86_400_000) });
  await test.inside(venue, () => test.app.get(PricesService).update(days.priceId, { entryRule: 'daily' }));
  const [first, second] = (await newTickets(test, venue, { event: days, count: 2 })) as [BuiltTicket, BuiltTicket];
  // A pass of yesterday: the day of a venue begins at four o'clock.
  const nextDay = () =>
    test.database.query(
      `update "${venue.schemaName}".ticket set scanned_at = scanned_at - interval '1 day', left_at = left_at - interval '1 day'
       where reservation_id = $1 and scanned_at is not null`,
      [first.reservationId],
    );
  const once = async (body: object) => {
    expect((await scan({ qrcode_data: first.code, ...body }).expect(200)).body).toMatchObject({ success: true });
    expect((await scan({ qrcode_data: first.code, ...body }).expect(200)).body).toMatchObject({
      success: false,
      reason: 'already_scanned',
    });
  };
  await once({});
  await nextDay();
  expect((await check({ qrcode_data: first.code }).expect(200)).body).toMatchObject({ may_enter: true });
  await once({});
  await nextDay();
  await once({ gate, direction: 'entry' });
  await nextDay();
  const both = (await scan({ qrcode_data: first.code, gate, tickets: 2, direction: 'entry' }).expect(200)).body;
  expect(both).toMatchObject({ success: true, group: { inside: 2, expected: 0 } });
  expect((await scan({ qrcode_data: second.code, gate }).expect(200)).body).toMatchObject({ reason: 'already_scanned' });
  await nextDay();
  const racing = await Promise.all(Array.from({ length: 5 }, () => scan({ qrcode_data: second.code })));
  expect(racing.map(({ body }) => (body as { success: boolean }).success).filter(Boolean)).toHaveLength(1);
  const entries = (await log(first.id)).filter(({ action, outcome }) => action === 'scan' && /accepted|readmitted/.test(outcome));
  expect(entries.map(({ outcome }) => outcome)).toEqual(['accepted', 'readmitted', 'readmitted', 'readmitted']);
  expect(await drifts()).toEqual([]);
});

it('lets holders of a price in again whenever they were let out, also where the event has no re-entry', async () => {
  const fair = await newEvent(test, venue);
  await test.inside(venue, () => test.app.get(PricesService).update(fair.priceId, { entryRule: 'exits' }));
  const [pass] = (await newTickets(test, venue, { event: fair })) as [BuiltTicket];
  const go = async (direction: string) => (await scan({ qrcode_data: pass.code, gate, direction }).expect(200)).body as object;
  for (const direction of ['entry', 'exit', 'entry', 'exit']) expect(await go(direction)).toMatchObject({ success: true });
  expect(await go('entry')).toMatchObject({ success: true });
  expect(await go('entry')).toMatchObject({ success: false, reason: 'already_scanned' });
});
