import { describe, expect, it } from '@jest/globals';
import { EventQueue, type QueueLoad } from './event-queue.js';
import type { QueueChanges, QueueRead } from './queue-rows.js';

/** A queue over a list in memory, whose statements end when the test says so. */
function queueOver(present: string[], room = Infinity, load: QueueLoad = { growth: 1, isCrowded: false }) {
  const statements: (QueueChanges & { end: () => void })[] = [];
  let time = 0;
  const exchange = (changes: QueueChanges): Promise<QueueRead> =>
    new Promise((resolve) => {
      const read = [...present];
      const arrived = changes.arrivals.map(({ id }) => id).slice(0, Math.max(0, room - read.length));
      const end = (): void => resolve({ present: read, arrived, shut: [], full: read.length >= room });
      present.push(...arrived);
      statements.push({ ...changes, end });
    });
  const queue = new EventQueue(
    exchange,
    () => new Date(1_800_000_000_000 + time),
    () => time,
    () => load,
  );
  return { queue, statements, present, pass: (milliseconds: number) => (time += milliseconds) };
}

const spot = (id: string) => ({ id, network: id, networkSite: null, choice: { eventId: 'e', lines: [], options: [] }, cartId: null });
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('EventQueue', () => {
  it('writes everybody who arrives during a statement with the next one', async () => {
    const { queue, statements } = queueOver([]);
    const first = queue.arrive(spot('a'));
    await settled();
    const others = ['b', 'c', 'd'].map((id) => queue.arrive(spot(id)));
    await settled();
    expect(statements.map(({ arrivals }) => arrivals.map(({ id }) => id))).toEqual([['a']]);
    statements[0]!.end();
    await settled();
    expect(statements[1]!.arrivals.map(({ id }) => id)).toEqual(['b', 'c', 'd']);
    statements[1]!.end();
    expect([await first, ...(await Promise.all(others))]).toMatchObject([1, 2, 3, 4].map((position) => ({ position })));
  });

  it('answers who asks from what was read a moment ago, and reads again later', async () => {
    const { queue, statements, pass } = queueOver(['a', 'b', 'c']);
    const asked = queue.ask('c');
    await settled();
    statements[0]!.end();
    expect(await asked).toMatchObject({ position: 3 });
    expect(await queue.ask('a')).toMatchObject({ position: 1 });
    expect(statements).toHaveLength(1);
    pass(600);
    const again = queue.ask('b');
    await settled();
    expect([...statements[1]!.asks.keys()]).toEqual(['c', 'a']);
    statements[1]!.end();
    expect(await again).toMatchObject({ position: 2 });
  });

  it('lets in as many as are booked in some seconds, and tells the others how long they wait', async () => {
    const people = Array.from({ length: 1000 }, (_, index) => String(index));
    const { queue, statements, present, pass } = queueOver(people);
    for (let round = 0; round < 20; round += 1) {
      const asked = queue.ask(present[0]!);
      await settled();
      statements.at(-1)!.end();
      await asked;
      // Forty are booked in a second.
      present.splice(0, 40);
      pass(1000);
    }
    const [next, last] = [await asking(queue, statements, present[0]!), await asking(queue, statements, present.at(-1)!)];
    expect(queue.isTurn(next!)).toBe(true);
    expect([queue.isTurn({ position: 110 }), queue.isTurn({ position: 130 })]).toEqual([true, false]);
    expect(last!.position).toBe(200);
    expect(last!.seconds).toBeGreaterThanOrEqual(5);
    expect(last!.seconds).toBeLessThanOrEqual(6);
    expect(last!.askAgainAfter).toBeGreaterThanOrEqual(4);
    expect(next!.askAgainAfter).toBeGreaterThanOrEqual(1);
  });

  it('has people who wait long ask again after half of the expected time, so that none is late when it goes faster', async () => {
    const { queue, statements, present } = queueOver(Array.from({ length: 400 }, (_, index) => String(index)));
    const [near, far] = [await asking(queue, statements, present[200]!), await asking(queue, statements, present.at(-1)!)];
    expect(near!.seconds).toBe(6);
    expect(near!.askAgainAfter).toBeGreaterThanOrEqual(5);
    expect(far!.seconds).toBe(10);
    expect(far!.askAgainAfter).toBeGreaterThanOrEqual(5);
    expect(far!.askAgainAfter).toBeLessThanOrEqual(7);
  });

  // Without it, people ask at the rate of the bookings so far, and so no more than these are ever booked.
  it('lets in more, and asks all to come earlier, while the server could do more', async () => {
    const people = Array.from({ length: 1000 }, (_, index) => String(index));
    const load = { growth: 2, isCrowded: false };
    const { queue, statements, present, pass } = queueOver(people, Infinity, load);
    for (let round = 0; round < 20; round += 1) {
      await asking(queue, statements, present[0]!);
      present.splice(0, 40);
      pass(1000);
    }
    const last = await asking(queue, statements, present.at(-1)!);
    expect([queue.isTurn({ position: 230 }), queue.isTurn({ position: 250 })]).toEqual([true, false]);
    expect(last).toMatchObject({ position: 200, seconds: 3 });
    load.isCrowded = true;
    expect([queue.isTurn({ position: 8 }), queue.isTurn({ position: 9 })]).toEqual([true, false]);
  });

  it('does not call people late because a crowd of arrivals delayed the first bookings', async () => {
    const people = Array.from({ length: 400 }, (_, index) => String(index));
    const { queue, statements, present, pass } = queueOver(people, Infinity, { growth: 0.7, isCrowded: true });
    for (let round = 0; round < 4; round += 1) {
      await asking(queue, statements, present[0]!);
      pass(1000);
    }
    expect((await asking(queue, statements, present.at(-1)!))!.seconds).toBeLessThanOrEqual(13);
  });

  it('says why an arrival has no spot', async () => {
    const { queue, statements } = queueOver(['a', 'b'], 2);
    const refused = queue.arrive(spot('c'));
    await settled();
    statements[0]!.end();
    expect(await refused).toBe('full');
  });

  it('fails those whose statement failed, and goes on', async () => {
    let attempts = 0;
    const queue = new EventQueue(
      () =>
        (attempts += 1) === 1 ? Promise.reject(new Error('down')) : Promise.resolve({ present: ['a'], arrived: [], shut: [], full: false }),
      () => new Date(),
    );
    await expect(queue.arrive(spot('a'))).rejects.toThrow('down');
    expect(await queue.ask('a')).toMatchObject({ position: 1 });
    expect(queue.isActive).toBe(true);
  });
});

/** Asks after the last reading became old. */
async function asking(queue: EventQueue, statements: readonly { end: () => void }[], id: string): ReturnType<EventQueue['ask']> {
  const asked = queue.ask(id);
  await settled();
  statements.at(-1)!.end();
  return asked;
}
