import { describe, expect, it } from '@jest/globals';
import { ModelNetwork } from './model-network.js';
import { ModelServer } from './model-server.js';
import { Phone } from './phone.js';
import { longRun } from '../../../../../test/support/long-run.js';

/** 3,000 by hand; few by default, so that the run takes seconds. */
const scans = Number(process.env['DOOR_SCANS'] ?? (longRun ? 300 : 100));
const kills = 5;
const hours = 12;

describe('a phone without a network', () => {
  it(`keeps ${scans} scans over ${hours} hours and ${kills} kills of the app: none lost, none doubled`, async () => {
    const server = new ModelServer();
    const network = await ModelNetwork.make(server);
    const tickets = await network.sell(scans);
    let passed = 0;
    const began = performance.now();
    const now = (): number => performance.timeOrigin + performance.now() + passed;
    server.now = now;
    const phone = await new Phone(network, now).open();
    phone.line.mode = 'down';
    while (phone.engine.state.network.kind !== 'offline') {
      phone.engine.wake();
      await new Promise((done) => setTimeout(done, 20));
    }
    const shown = new Map<string, string>();
    for (const [at, ticket] of tickets.entries()) {
      passed += (hours * 3_600_000) / scans;
      const result = await phone.engine.scan(ticket.code, 'camera');
      shown.set(result.scanId, result.verdict);
      if (at % Math.ceil(scans / kills) === 7) {
        // Killed while it decides about the next code, which nobody sees.
        const next = tickets[at + 1];
        const interrupted = next && phone.engine.scan(next.code, 'camera');
        await new Promise((done) => setTimeout(done, Math.random() * 4));
        await phone.restart();
        await Promise.race([interrupted, new Promise((done) => setTimeout(done, 50))]);
      }
    }
    // A code that was decided but not seen is red or neutral when it is scanned again; the entry counts once.
    expect([...shown.values()].filter((verdict) => verdict === 'go').length).toBeGreaterThanOrEqual(scans - kills);
    expect(performance.now() - began + passed).toBeGreaterThanOrEqual(hours * 3_600_000 - 1000);
    phone.line.mode = 'up';
    for (let tries = 0; phone.engine.state.network.unsent > 0 && tries < 1500; tries += 1)
      await new Promise((done) => setTimeout(done, 20));
    expect(phone.engine.state.network.unsent).toBe(0);
    expect(server.inside).toBe(scans);
    expect(server.movements).toHaveLength(scans);
    expect(server.conflicts).toEqual([]);
    const sequences = [...server.lines.values()].map(({ sequence }) => sequence).toSorted((one, other) => one - other);
    expect(sequences).toEqual(sequences.map((_, at) => at));
    await phone.kill();
  });
});
