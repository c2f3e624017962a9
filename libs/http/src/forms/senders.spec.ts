import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { measureMs, Senders } from './senders.js';

const rules = { slowest: 16 * 1024, contended: 128 * 1024, graceMs: 3000, windowMs: 5000 };
let now = 0;
let contended = false;
let senders = new Senders(
  rules,
  () => contended,
  () => now,
);
const ends: (() => void)[] = [];

afterEach(() => {
  for (const end of ends.splice(0)) end();
  contended = false;
  senders = new Senders(
    rules,
    () => contended,
    () => now,
  );
});

/** A body that is sent at a steady speed, in bytes a second. */
class Body extends PassThrough {
  readonly complete = false;
  late = false;

  constructor(
    public bytesPerSecond: number,
    owner = 'a',
  ) {
    super();
    ends.push(senders.measure(owner, this, () => (this.late = true)));
  }

  send(ms: number): void {
    const bytes = Math.round((this.bytesPerSecond * ms) / 1000);
    if (bytes > 0) this.emit('data', Buffer.alloc(bytes));
  }
}

/** Time passes, and the event loop is free. */
function pass(ms: number, ...bodies: Body[]): void {
  for (let passed = 0; passed < ms; passed += measureMs) {
    now += measureMs;
    for (const body of bodies) body.send(measureMs);
    senders.look();
  }
}

const kB = 1024;
const late = (...bodies: Body[]): boolean[] => bodies.map((body) => body.late);

describe('senders', () => {
  it('need 16 kB a second after some time, and nothing more while nobody else waits', () => {
    const [slow, fit] = [new Body(10 * kB), new Body(20 * kB)];
    pass(2500, slow, fit);
    expect(late(slow, fit)).toEqual([false, false]);
    pass(20_000, slow, fit);
    expect(late(slow, fit)).toEqual([true, false]);
  });

  it('that pause for a while are not cut for it', () => {
    const body = new Body(100 * kB);
    pass(5000, body);
    pass(6000);
    body.bytesPerSecond = 20 * kB;
    pass(10_000, body);
    expect(body.late).toBe(false);
  });

  it('lose turns one at a time while others have none: the slowest first, the fast never', () => {
    const [phone, slower, fast] = [new Body(60 * kB), new Body(40 * kB), new Body(500 * kB)];
    pass(4000, phone, slower, fast);
    contended = true;
    pass(500, phone, slower, fast);
    // Without an order, all that are slow are cut by their own timers.
    expect(late(phone, slower, fast)).toEqual([false, true, false]);
    contended = false;
    pass(5000, phone, fast);
    expect(late(phone, fast)).toEqual([false, false]);
    contended = true;
    pass(2000, phone, fast);
    expect(late(phone, fast)).toEqual([true, false]);
  });

  it('of the tenant with the most senders come before a slower one of another tenant', () => {
    const [alone, one, two] = [new Body(30 * kB, 'b'), new Body(60 * kB), new Body(50 * kB)];
    pass(4000, alone, one, two);
    contended = true;
    pass(500, alone, one, two);
    expect(late(alone, one, two)).toEqual([false, false, true]);
  });

  it('are measured by their current speed while others wait', () => {
    const body = new Body(1000 * kB);
    pass(5000, body);
    body.bytesPerSecond = 1 * kB;
    pass(5000, body);
    contended = true;
    pass(500, body);
    expect(body.late).toBe(true);
  });

  it('do not pay for a blocked event loop', () => {
    const body = new Body(150 * kB);
    contended = true;
    for (let block = 0; block < 10; block += 1) {
      now += 4000;
      // Timers run before what has arrived is read.
      senders.look();
      pass(500, body);
      expect(body.late).toBe(false);
    }
  });

  it('do not pay for the time in which the server does not read', () => {
    const body = new Body(150 * kB);
    contended = true;
    for (let round = 0; round < 20; round += 1) {
      body.pause();
      now += 400;
      body.resume().emit('resume');
      now += 100;
      body.send(100);
      senders.look();
    }
    expect(body.late).toBe(false);
    // The same bytes without a pause are slow.
    for (let round = 0; round < 20; round += 1) {
      now += 500;
      body.send(100);
      senders.look();
    }
    expect(body.late).toBe(true);
  });

  it('are not measured any more when they have sent all, and leave no timer', () => {
    const clear = jest.spyOn(globalThis, 'clearInterval');
    const body = new Body(0);
    Reflect.set(body, 'complete', true);
    contended = true;
    pass(20_000, body);
    expect(body.late).toBe(false);
    ends.pop()?.();
    expect(clear).toHaveBeenCalledTimes(1);
    clear.mockRestore();
  });
});
