import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { secondId } from '../background/line-answers.js';
import { eventId, ModelNetwork, otherEventId } from './model-network.js';
import { ModelServer } from './model-server.js';
import type { ModelTicket } from './model-tickets.js';
import { Phone } from './phone.js';
import { until } from './until.js';
import { longRun } from '../../../../../test/support/long-run.js';

/** More by hand: `DOOR_RUNS=500`. */
const runs = Number(process.env['DOOR_RUNS'] ?? (longRun ? 12 : 6));
const devices = 3;
/** Tickets: the first for the event at whose door the phones begin, the others for another one. */
const sold = 6;
const soldElsewhere = 3;

const step = fc.record({
  phone: fc.nat(devices - 1),
  ticket: fc.nat(sold + soldElsewhere - 1),
  act: fc.constantFrom(
    ...([
      'entry',
      'entry',
      'entry',
      'entry',
      'exit',
      'exit',
      'let',
      'let',
      'undo',
      'cut',
      'lose',
      'heal',
      'move',
      'kill',
      'clock',
      'cancel',
    ] as const),
  ),
});
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** A verdict that let somebody in or out. */
interface Shown {
  readonly phone: Phone;
  readonly ticket: ModelTicket;
  readonly scanId: string;
  readonly verdict: 'go' | 'out';
  undone: boolean;
}

/** What happened at the doors. */
class Evening {
  readonly shown: Shown[] = [];
  /** The event at whose door each attempt was, by device and id. */
  readonly doors = new Map<string, string>();

  async scan(phone: Phone, ticket: ModelTicket, direction: 'entry' | 'exit', lets: boolean): Promise<void> {
    const event = phone.engine.state.event?.id ?? '';
    phone.engine.turn(direction);
    let result = await phone.engine.scan(ticket.code, 'camera');
    // The list lacks the ticket: a person lets in, unless too many came in that way.
    if (lets && result.verdict === 'ask') result = await phone.engine.admit(result.scanId).catch(() => result);
    const { scanId, verdict } = result;
    for (const id of [scanId, await secondId(scanId)]) this.doors.set(`${phone.device} ${id}`, event);
    if (verdict === 'go' || verdict === 'out') this.shown.push({ phone, ticket, scanId, verdict, undone: false });
  }
}

/** Goes to the door of the other event: without a network only with a stored list. */
async function move({ engine }: Phone): Promise<void> {
  await engine.open(engine.state.event?.id === eventId ? otherEventId : eventId, null).catch(() => undefined);
}

async function act({ act: kind }: Step, phone: Phone, ticket: ModelTicket, server: ModelServer, evening: Evening): Promise<void> {
  const { shown } = evening;
  if (kind === 'entry' || kind === 'exit') await evening.scan(phone, ticket, kind, false);
  else if (kind === 'let') await evening.scan(phone, ticket, 'entry', true);
  else if (kind === 'move') await move(phone);
  else if (kind === 'undo') {
    const last = shown.findLast((one) => one.phone === phone && !one.undone);
    if (last)
      last.undone = await phone.engine.undo(last.scanId).then(
        () => true,
        () => false,
      );
  } else if (kind === 'cut') phone.line.mode = 'down';
  else if (kind === 'lose') phone.line.mode = 'lost';
  else if (kind === 'heal') {
    phone.line.mode = 'up';
    phone.engine.wake();
  } else if (kind === 'kill') await phone.restart();
  else if (kind === 'clock') phone.clockError += (ticket.version % 2 === 0 ? 1 : -1) * 137_000;
  else {
    ticket.cancelled = true;
    server.touch(ticket);
  }
}

/** Where the server keeps an entry that somebody saw: as a movement, in the ledger, or as the line of a ticket that was cancelled. */
async function keptAs({ phone, scanId }: Shown, server: ModelServer): Promise<string[]> {
  const kept: string[] = [];
  for (const id of [scanId, await secondId(scanId)]) {
    const key = `${phone.device} ${id}`;
    kept.push(...server.movements.filter((one) => one.device === phone.device && one.scanId === id).map(() => 'movement'));
    kept.push(...server.conflicts.filter(({ line }) => line === key).map(() => 'ledger'));
    if (server.lines.get(key)?.result.state === 'was_cancelled') kept.push('cancelled');
  }
  return kept;
}

/** What the server knows of an exit that somebody saw: a movement, or lines of which the last one was decided by itself. */
async function knowsExit({ phone, scanId }: Shown, server: ModelServer): Promise<boolean> {
  const ids = [scanId, await secondId(scanId)];
  if (server.movements.some((one) => one.device === phone.device && ids.includes(one.scanId))) return true;
  const last = ids.map((id) => server.lines.get(`${phone.device} ${id}`)).findLast((line) => line);
  return last !== undefined && last.result.state !== 'replayed';
}

async function run(steps: readonly Step[]): Promise<void> {
  const server = new ModelServer();
  const network = await ModelNetwork.make(server);
  const tickets = [...(await network.sell(sold)), ...(await network.sell(soldElsewhere, { event: otherEventId }))];
  const phones = await Promise.all(Array.from({ length: devices }, () => new Phone(network).open()));
  const evening = new Evening();
  const { shown, doors } = evening;
  try {
    for (const one of steps) await act(one, phones[one.phone]!, tickets[one.ticket]!, server, evening);
    for (const phone of phones) {
      phone.line.mode = 'up';
      phone.engine.wake();
    }
    await until(() => phones.every(({ engine }) => engine.state.network.unsent === 0 && engine.state.network.kind === 'live'), 1500);
    for (const one of shown.filter(({ verdict, undone }) => verdict === 'go' && !undone)) expect(await keptAs(one, server)).toHaveLength(1);
    for (const one of shown.filter(({ verdict, undone }) => verdict === 'out' && !undone)) expect(await knowsExit(one, server)).toBe(true);
    for (const { device, scanId, ticket } of server.movements) expect(doors.get(`${device} ${scanId}`)).toBe(ticket.event);
    const ledger = server.conflicts.map(({ line }) => line);
    expect(new Set(ledger).size).toBe(ledger.length);
    for (const { device } of phones) {
      const lines = [...server.lines].filter(([key]) => key.startsWith(`${device} `)).map(([, { sequence }]) => sequence);
      expect(lines.toSorted((one, other) => one - other)).toEqual(lines.map((_, at) => at));
    }
    await until(() => phones.every(({ engine: { state } }) => state.counts?.inside === server.insideOf(state.event?.id ?? '')), 1500);
  } finally {
    for (const phone of phones) await phone.kill();
  }
}

describe('three devices in any order of scans, exits, undos, events, cancellations, cuts, kills and clock errors', () => {
  it(`keep every line, count each double entry once and scan each ticket for its own event only, in ${runs} runs`, async () => {
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), run), { numRuns: runs, endOnFailure: true });
  });
});
