import { createHash, randomUUID } from 'node:crypto';
import { ApiDocumentService } from '#api-document';
import { PricesService } from '#catalogue';
import { GatesService, InsideAuditService } from '#scan';
import type { TenantIdentity } from '#tenancy';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { schemaValidator } from '../support/api-answers.js';
import { newDevice, newEvent, newTicket, newTickets, type PairedDevice } from '../support/builders.js';
import { scanApi } from '../support/scan-api.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let venue: TenantIdentity;
let device: PairedDevice;
let other: PairedDevice;
let event: Awaited<ReturnType<typeof newEvent>>;
let gates: string[];

beforeAll(async () => {
  test = await startTestApp();
  venue = await test.newTenant();
  device = await newDevice(test, venue, 'Door 1');
  other = await newDevice(test, venue, 'Balcony');
  event = await newEvent(test, venue, { reentry: true });
  const make = async (name: string) => (await test.app.get(GatesService).create({ name })).id;
  gates = await test.inside(venue, async () => [await make('Main door'), await make('Upper gate')]);
});
afterAll(() => test.close());

const { call, scan, log } = scanApi(() => ({ test, venue, device }));
const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
const drifts = () => test.inside(venue, () => test.app.get(InsideAuditService).drifts());

/** A line as a device writes it. */
const line = (members: object): string =>
  JSON.stringify({ scan_id: randomUUID(), sequence: 0, verdict: 'admitted', mode: 'offline', device_time: minutesAgo(5), ...members });
const send = async (lines: unknown[], by = device) => (await call('/scan/batch/', { lines }, by).expect(200)).body.results;
const conflicts = (ticketId: string) =>
  test.database.query(
    `select first_device_id, first_gate_id, first_at, first_error_ms, later_device_id, later_gate_id, later_at, later_error_ms
     from "${venue.schemaName}".scan_conflict where ticket_id = $1`,
    [ticketId],
  );

describe('POST /scan/batch/', () => {
  it('records entries, exits and re-entries, each in a final state, and repeats the same answers', async () => {
    const ticket = await newTicket(test, venue, { event });
    const lines = [
      line({ qrcode_data: ticket.code, sequence: 1, gate: gates[0], device_time: minutesAgo(30) }),
      line({ ticket: ticket.id, sequence: 2, gate: gates[0], direction: 'exit', device_time: minutesAgo(20) }),
      line({ ticket: ticket.id, sequence: 3, gate: gates[1], device_time: minutesAgo(10) }),
      line({ ticket: ticket.id, sequence: 4, verdict: 'refused' }),
    ];
    const results = await send(lines);
    expect(results.map(({ state }: { state: string }) => state)).toEqual(['applied', 'applied', 'applied', 'applied']);
    expect((await log(ticket.id)).map(({ outcome }) => outcome)).toEqual(['accepted', 'left', 'readmitted']);
    expect(await send(lines)).toEqual(results);
    expect(await log(ticket.id)).toHaveLength(3);
    expect(await drifts()).toEqual([]);
    const [row] = await test.database.query<{ at: Date; gate_id: string }>(
      `select scanned_at as at, gate_id from "${venue.schemaName}".ticket where id = $1`,
      [ticket.id],
    );
    expect(row?.gate_id).toBe(gates[1]);
    expect(Date.now() - (row?.at.getTime() ?? 0)).toBeGreaterThan(9 * 60_000);
  });

  it('records an entry of a ticket that came in elsewhere, and puts it into the ledger once', async () => {
    const ticket = await newTicket(test, venue, { event });
    await scan({ qrcode_data: ticket.code, gate: gates[0] }).expect(200);
    const late = line({ ticket: ticket.id, gate: gates[1], device_time: new Date(Date.now() + 60_000).toISOString(), clock_error_ms: 900 });
    const [duplicate] = await send([late], other);
    expect(duplicate).toMatchObject({
      state: 'duplicate_of',
      reason: 'double_entry',
      other: { device: device.id, device_name: 'Door 1', gate: { uuid: gates[0], name: 'Main door' }, error_ms: 0 },
    });
    await send([late], other);
    expect(await conflicts(ticket.id)).toMatchObject([
      { first_device_id: device.id, first_gate_id: gates[0], later_device_id: other.id, later_gate_id: gates[1], later_error_ms: 900 },
    ]);
    expect((await log(ticket.id)).map(({ outcome }) => outcome)).toEqual(['accepted', 'double_entry']);
    expect(await drifts()).toEqual([]);
  });

  it('calls the later entry by corrected time the duplicate, whichever arrives first', async () => {
    const ticket = await newTicket(test, venue, { event });
    const [first] = await send([line({ ticket: ticket.id, gate: gates[0], device_time: minutesAgo(10), clock_error_ms: 50 })]);
    expect(first.state).toBe('applied');
    // The clock of this device is an hour fast; corrected, its entry was 20 minutes ago.
    const fast = { device_time: minutesAgo(-40), clock_offset_ms: -3_600_000, clock_error_ms: 70 };
    const [earlier] = await send([line({ ticket: ticket.id, gate: gates[1], ...fast })], other);
    expect(earlier).toMatchObject({ state: 'applied', reason: 'double_entry', other: { device: device.id } });
    expect(await conflicts(ticket.id)).toMatchObject([
      { first_device_id: other.id, first_error_ms: 70, later_device_id: device.id, later_error_ms: 50 },
    ]);
  });

  it('keeps lines of cancelled, unpaid and unknown tickets and forged codes, and says why', async () => {
    const cancelled = await newTicket(test, venue, { event, status: 'R' });
    const unpaid = await newTicket(test, venue, { event, status: 'N', reservationStatus: 'U' });
    const outside = await newTicket(test, venue, { event });
    const results = await send([
      line({ ticket: cancelled.id }),
      line({ ticket: unpaid.id }),
      line({ ticket: randomUUID() }),
      line({ qrcode_data: outside.code.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')).replace(/^./, 'B') }),
      line({ ticket: outside.id, direction: 'exit' }),
    ]);
    expect(results.map(({ state, reason }: { state: string; reason?: string }) => [state, reason])).toEqual([
      ['was_cancelled', undefined],
      ['refused', 'not_paid'],
      ['refused', 'unknown'],
      ['refused', expect.stringMatching(/forged|malformed/)],
      ['refused', 'not_inside'],
    ]);
    const [row] = await test.database.query<{ kept: number }>(
      `select count(*)::int as kept from "${venue.schemaName}".scan_line where scan_id = any($1)`,
      [results.map(({ scan_id }: { scan_id: string }) => scan_id)],
    );
    expect(row?.kept).toBe(5);
  });

  it('takes the signed part of a code that the device verified, and refuses old codes, other keys and second names', async () => {
    const [ticket, moved] = await newTickets(test, venue, { event, count: 2 });
    const dataOf = (code: string): string => code.split(':')[0] ?? '';
    await test.database.query(`update "${venue.schemaName}".ticket set code_version = 3 where id = $1`, [moved!.id]);
    const bytes = Buffer.from(dataOf(moved!.code), 'base64url');
    const newest = Buffer.concat([Buffer.of(2), bytes.subarray(1), Buffer.of(0, 0, 3)]).toString('base64url');
    const otherKey = Buffer.concat([Buffer.of(1, 9), bytes.subarray(2)]).toString('base64url');
    const admitted = line({ verified_data: dataOf(ticket!.code) });
    const lines = [
      admitted,
      line({ verified_data: dataOf(moved!.code) }),
      line({ verified_data: newest }),
      line({ verified_data: otherKey }),
      line({ verified_data: moved!.code }),
      line({ verified_data: dataOf(moved!.code), ticket: moved!.id }),
      line({ verified_data: dataOf(moved!.code), qrcode_data: moved!.code }),
      line({ verified_data: 7 }),
    ];
    const results = await send(lines);
    expect(results.map(({ state, reason }: { state: string; reason?: string }) => [state, reason])).toEqual([
      ['applied', undefined],
      ['refused', 'revoked'],
      ['applied', undefined],
      ['refused', 'forged'],
      ['refused', 'malformed'],
      ['refused', 'malformed'],
      ['refused', 'malformed'],
      ['refused', 'malformed'],
    ]);
    expect((await log(ticket!.id)).map(({ outcome }) => outcome)).toEqual(['accepted']);
    // The attempt itself, with the whole code, arrives after its line.
    const { scan_id } = JSON.parse(admitted) as { scan_id: string };
    const replayed = await scan({ qrcode_data: ticket!.code, scan_id }).expect(200);
    expect(replayed.body.success).toBe(true);
    expect(await log(ticket!.id)).toHaveLength(1);
  });

  it('answers the lines around bad ones', async () => {
    const [one, two] = await newTickets(test, venue, { event, count: 2 });
    const good = line({ ticket: one!.id });
    const { scan_id } = JSON.parse(good) as { scan_id: string };
    const bad = [
      null,
      7,
      '',
      '{',
      '[]',
      '['.repeat(900),
      ' '.repeat(2000),
      line({ ticket: 'x' }),
      line({ ticket: one!.id, device_time: '2026-02-31T99:00:00Z' }),
      line({ ticket: one!.id, sequence: -1 }),
      line({ ticket: one!.id, position: '\u0000' }),
      line({ ticket: one!.id, position: '\ud800' }),
      line({ ticket: one!.id, extra: 1 }),
      line({ ticket: one!.id, clock_offset_ms: 1e300 }),
    ];
    const results = await send([
      good,
      ...bad,
      line({ ticket: one!.id, scan_id, sequence: 9 }),
      line({ ticket: two!.id, device_time: '2026-02-31T20:00:00Z' }),
    ]);
    expect(results[0].state).toBe('applied');
    expect(results.slice(1, -2)).toEqual(bad.map(() => ({ scan_id: null, state: 'refused', reason: 'malformed' })));
    expect(results.at(-2)).toEqual({ scan_id, state: 'refused', reason: 'id_reused' });
    expect(results.at(-1).state).toBe('applied');
    const document = test.app.get(ApiDocumentService).document();
    const fits = schemaValidator(document).compile({ $ref: 'document#/components/schemas/ScanBatch' });
    expect([fits({ lines: bad }), fits({ lines: 'x' })]).toEqual([true, false]);
    await call('/scan/batch/', { lines: Array.from({ length: 1001 }, () => '') }).expect(400);
    await call('/scan/batch/', { lines: 'all' }).expect(400);
    await call('/scan/batch/', {}).expect(400);
  });

  it('answers an attempt that arrived before its line as replayed, and one that arrives after it like a repeat', async () => {
    const [one, two] = await newTickets(test, venue, { event, count: 2 });
    const before = { qrcode_data: one!.code, scan_id: randomUUID() };
    await scan(before).expect(200);
    const after = { qrcode_data: two!.code, scan_id: randomUUID() };
    const results = await send([
      line({ ticket: one!.id, scan_id: before.scan_id, mode: 'online' }),
      line({
        ticket: two!.id,
        scan_id: after.scan_id,
      }),
    ]);
    expect(results).toMatchObject([{ state: 'replayed', outcome: 'accepted' }, { state: 'applied' }]);
    const late = await scan(after).expect(200);
    expect(late.body).toMatchObject({ success: true, ticket: { uuid: two!.id, first_name: 'Ada' } });
    expect(late.headers['idempotency-replayed']).toBe('true');
    expect(await log(two!.id)).toHaveLength(1);
  });

  it('notes whether each line contains the hash of the line before', async () => {
    const tickets = await newTickets(test, venue, { event, count: 3 });
    const hashed = await newDevice(test, venue, 'Hashed');
    const lines: string[] = [];
    for (const [at, { id }] of tickets.entries()) {
      const before = lines.at(-1);
      const previous = before === undefined ? null : createHash('sha256').update(before).digest('base64url');
      lines.push(line({ ticket: id, sequence: at + 1, previous: at === 2 ? 'A'.repeat(43) : previous }));
    }
    await send(lines, hashed);
    const rows = await test.database.query<{ chained: boolean | null }>(
      `select chained from "${venue.schemaName}".scan_line where device_id = $1 order by sequence`,
      [hashed.id],
    );
    expect(rows.map(({ chained }) => chained)).toEqual([null, true, false]);
  });

  it('records 1,000 lines, and refuses a second batch of the same device meanwhile', async () => {
    const tickets = await newTickets(test, venue, { event, count: 50 });
    const lines = Array.from({ length: 1000 }, (_, at) =>
      line({ ticket: tickets[at % 50]!.id, sequence: at + 1, verdict: at < 50 ? 'admitted' : 'refused' }),
    );
    const running = call('/scan/batch/', { lines }).then((answer) => answer);
    let busy = 0;
    for (let round = 0; busy === 0 && round < 200; round += 1) {
      const answer = await call('/scan/batch/', { lines: [] });
      if (answer.status === 429) {
        busy += 1;
        expect(answer.body.code).toBe('batch.busy');
        expect(answer.headers['retry-after']).toBe('1');
      }
    }
    const { status, body } = await running;
    expect([status, body.count, busy]).toEqual([200, 1000, 1]);
    expect(body.results.filter(({ state }: { state: string }) => state !== 'applied')).toEqual([]);
    expect(await drifts()).toEqual([]);
  }, 120_000);

  it('records one entry a day of a pass, in any order of the uploads', async () => {
    const days = await newEvent(test, venue, { endsAt: new Date(Date.now() + 86_400_000) });
    await test.inside(venue, () => test.app.get(PricesService).update(days.priceId, { entryRule: 'daily' }));
    const pass = await newTicket(test, venue, { event: days });
    const at = (hours: number, sequence: number): string =>
      line({ ticket: pass.id, sequence, gate: gates[0], device_time: minutesAgo(hours * 60) });
    expect(await send([at(48, 71), at(24, 72)])).toMatchObject([{ state: 'applied' }, { state: 'applied' }]);
    expect((await log(pass.id)).map(({ outcome }) => outcome)).toEqual(['accepted', 'readmitted']);
    // A line that comes late, of a day before the last entry, is no double entry; one of the same day is.
    expect(await send([at(48, 71)], other)).toMatchObject([{ state: 'applied' }]);
    expect(await conflicts(pass.id)).toEqual([]);
    expect(await send([at(24, 72)], other)).toMatchObject([{ reason: 'double_entry' }]);
    const [party] = await newTickets(test, venue, { event: days, count: 2 });
    const group = (hours: number, sequence: number): string =>
      line({ ticket: party!.id, sequence, gate: gates[0], tickets: 2, device_time: minutesAgo(hours * 60) });
    expect(await send([group(48, 73), group(24, 74)])).toMatchObject([{ moved: { length: 2 } }, { moved: { length: 2 } }]);
    expect(await conflicts(party!.id)).toEqual([]);
    expect(await drifts()).toEqual([]);
  });

  it('decides one ticket of two devices that upload at once in the database', async () => {
    // Verified to fail without the conditions on `t.status` in the update: both lines are then applied, and no conflict is recorded.
    for (let round = 0; round < 5; round += 1) {
      const ticket = await newTicket(test, venue, { event });
      const answers = await test.database.race(`select 1 from "${venue.schemaName}".ticket where id = $1 for update`, [ticket.id], () =>
        Promise.all([send([line({ ticket: ticket.id, gate: gates[0] })]), send([line({ ticket: ticket.id, gate: gates[1] })], other)]),
      );
      expect(answers.flat().filter(({ reason }) => reason === 'double_entry')).toHaveLength(1);
      expect(await conflicts(ticket.id)).toHaveLength(1);
    }
    expect(await drifts()).toEqual([]);
  });
});
