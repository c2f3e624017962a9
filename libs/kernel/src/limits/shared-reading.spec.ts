import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { runInRequest } from '../context/request-context.js';
import { tenantSlot } from '../context/scope.js';
import { SharedReading } from './shared-reading.js';

const limits = { total: 1, each: 1, waiting: 4, waitingOfNetwork: 2, waitMs: 10_000 };

class Client extends EventEmitter {
  destroyed = false;
  leave(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

/** Calls as a request from this address. */
function ask<Result>(ip: string, work: () => Result, { client = new Client(), tenant = 'a' } = {}): Result {
  return runInRequest({ requestId: 'r', client, ip }, () => tenantSlot.run({ id: tenant }, work));
}

/** Occupies the only turn until `end` is called. */
function occupy(turns: SharedReading): Promise<{ end: () => void }> {
  return new Promise((started) => {
    const work = (): Promise<void> => new Promise((end) => started({ end }));
    void ask('192.0.2.99', () => turns.read('held', work));
  });
}

describe('SharedReading', () => {
  const [one, other, third] = ['192.0.2.1', '192.0.2.2', '192.0.2.3'];
  /** Work that records its name. */
  const recorder = () => {
    const done: string[] = [];
    return { done, work: (name: string) => async (): Promise<string> => (done.push(name), name) };
  };

  it('executes the same work once for all that ask while it waits or runs, tenant by tenant, and again later', async () => {
    const turns = new SharedReading(limits);
    const { done, work } = recorder();
    const held = await occupy(turns);
    const same = Array.from({ length: 50 }, (_, index) => ask(index % 2 ? one : other, () => turns.read('k', work('k'))));
    const own = ask(one, () => turns.read('k', work('k of b')), { tenant: 'b' });
    held.end();
    expect(await Promise.all(same)).toEqual(Array(50).fill('k'));
    expect(await own).toBe('k of b');
    expect(done.toSorted()).toEqual(['k', 'k of b']);
    expect(await ask(one, () => turns.read('k', work('again')))).toBe('again');
    expect(turns.size).toBe(0);
  });

  it('goes on while any of those who wait is there, and drops the work when all are gone', async () => {
    const turns = new SharedReading(limits);
    const { done, work } = recorder();
    const held = await occupy(turns);
    const clients = Array.from({ length: 4 }, () => new Client());
    const [kept, gone] = [clients.slice(0, 2), clients.slice(2)].map((some, index) =>
      some.map((client) => ask(one, () => turns.read(`k${index}`, work(`k${index}`)), { client })),
    );
    clients[0]!.leave();
    const refused = Promise.allSettled(gone!);
    for (const client of clients.slice(2)) client.leave();
    expect((await refused).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    // It comes back before the others have their turn.
    const back = ask(one, () => turns.read('k1', work('k1 again')));
    held.end();
    expect(await Promise.all([...kept!, back])).toEqual(['k0', 'k0', 'k1 again']);
    expect(done).toEqual(['k0', 'k1 again']);
    expect(clients.map((client) => client.listenerCount('close'))).toEqual([0, 0, 0, 0]);
    expect(turns.size).toBe(0);
  });

  it('shares a running execution also after the one who began it is gone', async () => {
    const turns = new SharedReading(limits);
    let end: (value: string) => void = () => undefined;
    const client = new Client();
    const first = ask(one, () => turns.read('k', () => new Promise<string>((resolve) => (end = resolve))), { client });
    await new Promise(setImmediate);
    client.leave();
    const second = ask(other, () => turns.read('k', () => Promise.reject(new Error('executed again'))));
    end('done');
    expect(await Promise.all([first, second])).toEqual(['done', 'done']);
  });

  it('never lets a reader wait behind the other work of the network that asked for the same first', async () => {
    const turns = new SharedReading(limits);
    const { done, work } = recorder();
    const held = await occupy(turns);
    const flood = ['f1', 'home'].map((key) => ask(one, () => turns.read(key, work(key))));
    const readers = [ask(other, () => turns.read('home', work('home'))), ask(third, () => turns.read('page', work('page')))];
    held.end();
    await Promise.all([...flood, ...readers]);
    // With only the place of the first network, `home` would come after `page`. It is executed once.
    expect(done).toEqual(['f1', 'home', 'page']);
    expect(turns.size).toBe(0);
  });

  it('shares the place of others when a network or the queue has none left, and refuses other work', async () => {
    const turns = new SharedReading(limits);
    const { done, work } = recorder();
    const held = await occupy(turns);
    const get = (ip: string, key: string): Promise<string> => ask(ip, () => turns.read(key, work(key)));
    const waiting = [get(one, 'k1'), get(one, 'k2')];
    await expect(get(one, 'k3')).rejects.toThrow('tenant.busy');
    // With a place of another network it is shared.
    waiting.push(get(other, 'k3'), get(one, 'k3'), get(other, 'k4'));
    await expect(get(third, 'k5')).rejects.toThrow('tenant.busy');
    waiting.push(get(third, 'k4'));
    held.end();
    expect(await Promise.all(waiting)).toEqual(['k1', 'k2', 'k3', 'k3', 'k4', 'k4']);
    expect(done.toSorted()).toEqual(['k1', 'k2', 'k3', 'k4']);
    expect(turns.size).toBe(0);
  });

  it('gives all the same error, and begins anew afterwards', async () => {
    const turns = new SharedReading(limits);
    const held = await occupy(turns);
    const failed = [one, one, other].map((ip) => ask(ip, () => turns.read('k', () => Promise.reject(new Error('broken')))));
    const settled = Promise.allSettled(failed);
    held.end();
    expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(await ask(one, () => turns.read('k', () => Promise.resolve('works')))).toBe('works');
    expect(turns.size).toBe(0);
  });
});
