import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { secondId } from '../background/line-answers.js';
import { ModelNetwork } from './model-network.js';
import { ModelServer } from './model-server.js';
import type { ModelTicket } from './model-tickets.js';
import { Phone } from './phone.js';
import { until } from './until.js';

/** More by hand: `DOOR_RUNS=500`. */
const runs = Number(process.env['DOOR_RUNS'] ?? 12);
const devices = 3;
const sold = 6;

const step = fc.record({
  phone: fc.nat(devices - 1),
  ticket: fc.nat(sold - 1),
  act: fc.constantFrom('entry', 'entry', 'entry', 'entry', 'exit', 'exit', 'undo', 'cut', 'lose', 'heal', 'kill', 'clock', 'cancel'),
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

async function act({ act: kind }: Step, phone: Phone, ticket: ModelTicket, server: ModelServer, shown: Shown[]): Promise<void> {
  if (kind === 'entry' || kind === 'exit') {
    phone.engine.turn(kind);
    const { scanId, verdict } = await phone.engine.scan(ticket.code, 'camera');
    if (verdict === 'go' || verdict === 'out') shown.push({ phone, ticket, scanId, verdict, undone: false });
  } else if (kind === 'undo') {
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
  const tickets = await network.sell(sold);
  const phones = await Promise.all(Array.from({ length: devices }, () => new Phone(network).open()));
  const shown: Shown[] = [];
  try {
    for (const one of steps) await act(one, phones[one.phone]!, tickets[one.ticket]!, server, shown);
    for (const phone of phones) {
      phone.line.mode = 'up';
      phone.engine.wake();
    }
    await until(() => phones.every(({ engine }) => engine.state.network.unsent === 0 && engine.state.network.kind === 'live'), 1500);
    for (const one of shown.filter(({ verdict, undone }) => verdict === 'go' && !undone)) expect(await keptAs(one, server)).toHaveLength(1);
    for (const one of shown.filter(({ verdict, undone }) => verdict === 'out' && !undone)) expect(await knowsExit(one, server)).toBe(true);
    const ledger = server.conflicts.map(({ line }) => line);
    expect(new Set(ledger).size).toBe(ledger.length);
    for (const { device } of phones) {
      const lines = [...server.lines].filter(([key]) => key.startsWith(`${device} `)).map(([, { sequence }]) => sequence);
      expect(lines.toSorted((one, other) => one - other)).toEqual(lines.map((_, at) => at));
    }
    await until(() => phones.every(({ engine }) => engine.state.counts?.inside === server.inside), 1500);
  } finally {
    for (const phone of phones) await phone.kill();
  }
}

describe('three devices in any order of scans, exits, undos, cancellations, cuts, kills and clock errors', () => {
  it(`keep every line and count each double entry once, in ${runs} runs`, async () => {
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), run), { numRuns: runs, endOnFailure: true });
  });
});
