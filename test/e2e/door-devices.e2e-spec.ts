import { setTimeout as pass } from 'node:timers/promises';
import { RefusedTransition, ReservationChangesService } from '#tickets';
import type { TenantIdentity } from '#tenancy';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { longRun } from '../support/long-run.js';
import { newDevice, newEvent, newTicket, newTickets, type BuiltTicket, type PairedDevice } from '../support/builders.js';
import { DoorRecords, type ShownResult } from '../support/door/door-records.js';
import { openEnginePhone, type EnginePhone } from '../support/door/engine-phones.js';
import { scanApi } from '../support/scan-api.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

/** More by hand: `DOOR_RUNS=200`. `DOOR_SHRINK=on` looks for the shortest order of steps that fails. */
const runs = Number(process.env['DOOR_RUNS'] ?? (longRun ? 5 : 3));
const shrinks = process.env['DOOR_SHRINK'] !== undefined;
const devices = 3;
/** Sizes of the reservations. */
const parties = [1, 1, 1, 3, 3];
const sold = parties.reduce((sum, size) => sum + size, 0);

/**
 * `both`: at two devices at once. `late`: a ticket that was sold during the evening. `stranger`: one for another event, which a volunteer
 * lets in. `die`: the app is killed while it decides.
 */
const scans = ['entry', 'entry', 'entry', 'both', 'exit', 'group', 'late', 'stranger', 'die'] as const;
const acts = [...scans, 'undo', 'cut', 'lose', 'slow', 'heal', 'kill', 'clock', 'cancel'] as const;
const step = fc.record({
  act: fc.constantFrom(...acts),
  phone: fc.nat(devices - 1),
  ticket: fc.nat(sold - 1),
  people: fc.integer({ min: 2, max: 3 }),
});
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

let test: TestApp;
let venue: TenantIdentity;
let device: PairedDevice;
let elsewhere: Awaited<ReturnType<typeof newEvent>>;

beforeAll(async () => {
  test = await startTestApp();
  venue = await test.newTenant();
  device = await newDevice(test, venue, 'Office');
  elsewhere = await newEvent(test, venue, { name: 'Another evening', startsAt: new Date(Date.now() + 86_400_000) });
});
afterAll(() => test.close());

const { status } = scanApi(() => ({ test, venue, device }));

/** One evening: what the volunteers saw. */
class Evening {
  readonly shown: ShownResult[] = [];
  /** Tickets for another event. */
  readonly strangers: BuiltTicket[] = [];

  constructor(
    readonly event: Awaited<ReturnType<typeof newEvent>>,
    readonly tickets: readonly BuiltTicket[],
    readonly phones: readonly EnginePhone[],
  ) {}

  static async begin(): Promise<Evening> {
    const event = await newEvent(test, venue, { reentry: true, startsAt: new Date() });
    const tickets: BuiltTicket[] = [];
    for (const count of parties)
      tickets.push(...(count === 1 ? [await newTicket(test, venue, { event })] : await newTickets(test, venue, { event, count })));
    const place = { test, tenant: venue, port: test.port, eventId: event.id };
    return new Evening(event, tickets, await Promise.all(Array.from({ length: devices }, () => openEnginePhone(place))));
  }

  async take({ act, phone: number, ticket: at, people }: Step): Promise<void> {
    const [phone, ticket] = [this.phones[number]!, this.tickets[at]!];
    if (act === 'entry' || act === 'exit') await this.scan(phone, ticket, act);
    else if (act === 'both') {
      const other = this.phones[(number + 1) % devices]!;
      await Promise.all([this.scan(phone, ticket, 'entry'), this.scan(other, ticket, 'entry')]);
    } else if (act === 'group') await this.scanGroup(phone, ticket, people);
    else if (act === 'late') await this.admit(phone, await newTicket(test, venue, { event: this.event }));
    else if (act === 'stranger') await this.admitStranger(phone);
    else if (act === 'die') await this.die(phone, ticket, people);
    else if (act === 'undo') await this.undo(phone);
    else if (act === 'cut') phone.line.mode = 'down';
    else if (act === 'lose') phone.line.mode = 'lost';
    else if (act === 'slow') phone.line.delay = 900;
    else if (act === 'heal') heal(phone);
    else if (act === 'kill') await phone.restart();
    else if (act === 'clock') phone.clockError += (at % 2 === 0 ? 1 : -1) * 137_000;
    else await cancel(ticket);
  }

  private async scan(phone: EnginePhone, ticket: BuiltTicket, direction: 'entry' | 'exit', people = 1): Promise<ShownResult> {
    phone.engine.turn(direction);
    const result = await phone.engine.scan(ticket.code, 'camera');
    const one = { phone, ticketId: ticket.id, result, people, undone: false };
    if (['go', 'out', 'stop'].includes(result.verdict)) this.shown.push(one);
    return one;
  }

  /** One code for several people: the first one alone, then the others. */
  private async scanGroup(phone: EnginePhone, ticket: BuiltTicket, people: number): Promise<void> {
    const { result } = await this.scan(phone, ticket, 'entry');
    if ((result.group?.expected ?? 0) < people) return;
    const result2 = await phone.engine.admitGroup(result.scanId, people);
    this.shown.push({ phone, ticketId: ticket.id, result: result2, people, undone: false });
  }

  /** A ticket that the list may lack: then the volunteer lets in. */
  private async admit(phone: EnginePhone, ticket: BuiltTicket): Promise<void> {
    const { result } = await this.scan(phone, ticket, 'entry');
    if (result.verdict !== 'ask' || phone.engine.state.allowance === 0) return;
    this.shown.push({ phone, ticketId: ticket.id, result: await phone.engine.admit(result.scanId), people: 1, undone: false });
  }

  private async admitStranger(phone: EnginePhone): Promise<void> {
    const ticket = await newTicket(test, venue, { event: elsewhere });
    this.strangers.push(ticket);
    await this.admit(phone, ticket);
  }

  /** Nobody sees the result; the volunteer scans again. */
  private async die(phone: EnginePhone, ticket: BuiltTicket, milliseconds: number): Promise<void> {
    phone.engine.turn('entry');
    void phone.engine.scan(ticket.code, 'camera').catch(() => undefined);
    await pass(milliseconds * 2);
    await phone.restart();
    await this.scan(phone, ticket, 'entry');
  }

  private async undo(phone: EnginePhone): Promise<void> {
    const last = this.shown.findLast((one) => one.phone === phone && !one.undone && one.result.verdict !== 'stop');
    if (!last) return;
    // Refused when the ticket moved again, and when the app was killed since.
    last.undone = await phone.engine.undo(last.result.scanId).then(
      () => true,
      () => false,
    );
  }
}

function heal(phone: EnginePhone): void {
  Object.assign(phone.line, { mode: 'up', delay: 0 });
  phone.engine.wake();
}

async function cancel({ reservationId }: BuiltTicket): Promise<void> {
  const cancelling = test.inside(venue, () => test.app.get(ReservationChangesService).cancel(reservationId, { reason: 'staff' }));
  await cancelling.catch((error: unknown) => {
    // Somebody is inside.
    if (!(error instanceof RefusedTransition)) throw error;
  });
}

/** Those of the tickets that are not expected any more. */
async function moved(tickets: readonly BuiltTicket[]): Promise<object[]> {
  const ids = tickets.map(({ id }) => id);
  return test.database.query(`select id, status from "${venue.schemaName}".ticket where id = any($1) and status <> 'K'`, [ids]);
}

async function run(steps: readonly Step[]): Promise<void> {
  const evening = await Evening.begin();
  const { phones, event, shown } = evening;
  try {
    for (const one of steps) await evening.take(one);
    for (const phone of phones) heal(phone);
    await until(
      () => phones.map(({ engine }) => [engine.state.network.kind, engine.state.network.unsent].join(' ')),
      (states) => states.every((state) => state === 'live 0'),
    );
    const records = await DoorRecords.read(test, venue, event.id, phones);
    expect(await records.faults(phones, shown)).toEqual([]);
    expect(await moved(evening.strangers)).toEqual([]);
    const { expected, admitted, inside } = (await status(event.id).expect(200)).body as Record<string, number>;
    expect(inside).toBe(records.inside);
    await until(
      () => phones.map(({ engine }) => engine.state.counts),
      (counts) => counts.every((one) => one?.inside === inside && one?.admitted === admitted && one?.expected === expected),
    );
  } finally {
    for (const phone of phones) await phone.kill();
  }
}

it(
  `keeps every line, enters double entries once, scans tickets for their own event and counts like the audit, in ${runs} evenings`,
  async () => {
    const evenings = fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 40 }), run);
    await fc.assert(evenings, { numRuns: runs, endOnFailure: !shrinks });
  },
  60_000 + runs * 20_000,
);
