import { EventEmitter } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { ServerLoad } from '#http';
import { describe, expect, it } from '@jest/globals';
import { MailPace } from './mail-pace.js';

/** The load of a process that gets a request. */
function usedProcess(): ServerLoad {
  const load = new ServerLoad();
  const [request, response] = [{}, new EventEmitter()] as unknown as Parameters<ServerLoad['middleware']>;
  load.middleware(request, response, () => undefined);
  return load;
}

describe('the pace of mails', () => {
  it('has no pauses while nobody uses the process', async () => {
    const pace = new MailPace(new ServerLoad());
    const turns = Promise.all(Array.from({ length: 100 }, () => pace.turn())).then(() => 'all');
    expect(await Promise.race([turns, setImmediate('too late')])).toBe('all');
  });

  it('leaves 30 ms between two mails, in their order, when a request came in the last second', async () => {
    const pace = new MailPace(usedProcess());
    const begun = performance.now();
    const order: number[] = [];
    await Promise.all([0, 1, 2].map((mail) => pace.turn().then(() => order.push(mail))));
    // Timers may fire up to a millisecond early.
    expect(performance.now() - begun).toBeGreaterThanOrEqual(58);
    expect(order).toEqual([0, 1, 2]);
  });
});
