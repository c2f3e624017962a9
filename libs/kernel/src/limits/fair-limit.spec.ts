import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { FairLimit } from './fair-limit.js';
import { Problem } from '../problems/problem.js';
import { runInRequest } from '../context/request-context.js';
import { tenantSlot } from '../context/scope.js';

/** Work that ends when `end` is called. */
function openWork(): { work: () => Promise<void>; end: () => void; readonly started: boolean } {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const state = { started: false };
  return {
    work: () => {
      state.started = true;
      return ended;
    },
    end,
    get started() {
      return state.started;
    },
  };
}

const newClient = (destroyed = false) => Object.assign(new EventEmitter(), { destroyed });
const inTenant = <Result>(id: string, work: () => Result): Result => tenantSlot.run({ id }, work);
const pass = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

describe('FairLimit', () => {
  const limits = { total: 3, each: 2, waiting: 10, waitMs: 10_000 };

  it('runs as many tasks as each tenant may, and leaves the other slots to other tenants', async () => {
    const limit = new FairLimit(limits);
    const works = Array.from({ length: 5 }, openWork);
    const own = works.map(({ work }) => inTenant('a', () => limit.run(work)));
    await pass();
    expect(works.map(({ started }) => started)).toEqual([true, true, false, false, false]);
    expect(await inTenant('b', () => limit.run(() => 'done'))).toBe('done');
    for (const { end } of works) end();
    await Promise.all(own);
    expect(works.every(({ started }) => started)).toBe(true);
    expect(limit.tenants).toBe(0);
  });

  it('gives the next slot to the tenant with the fewest running tasks', async () => {
    const limit = new FairLimit({ ...limits, total: 1, each: 1 });
    const order: string[] = [];
    const run = (tenant: string): Promise<void> =>
      inTenant(tenant, () =>
        limit.run(async () => {
          order.push(tenant);
          await pass();
        }),
      );
    await Promise.all([run('a'), run('a'), run('a'), run('a'), run('b'), run('c')]);
    expect(order.slice(0, 4).toSorted()).toEqual(['a', 'a', 'b', 'c']);
    expect(order).toHaveLength(6);
  });

  it('refuses a task when too many of its tenant wait, with Retry-After', async () => {
    const limit = new FairLimit({ ...limits, each: 1, waiting: 1 });
    const works = Array.from({ length: 2 }, openWork);
    const own = works.map(({ work }) => inTenant('a', () => limit.run(work)));
    const refused = await inTenant('a', () => limit.run(() => 'done')).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Problem);
    expect((refused as Problem).status).toBe(429);
    expect((refused as Problem).extras.headers).toEqual({ 'Retry-After': '5' });
    expect(await inTenant('b', () => limit.run(() => 'done'))).toBe('done');
    for (const { end } of works) end();
    await Promise.all(own);
  });

  it('refuses tasks that wait too long or whose client leaves, and continues', async () => {
    const limit = new FairLimit({ ...limits, total: 1, waitMs: 20 });
    const first = openWork();
    const own = limit.run(first.work);
    const client = newClient();
    const gone = limit.run(() => 'done', client);
    client.emit('close');
    await expect(gone).rejects.toThrow('tenant.busy');
    expect(client.listenerCount('close')).toBe(0);
    await expect(limit.run(() => 'done')).rejects.toThrow('tenant.busy');
    await expect(inTenant('a', () => limit.run(() => 'done'))).rejects.toThrow('tenant.busy');
    expect(limit.tenants).toBe(1);
    first.end();
    await own;
    expect(await limit.run(() => 'done')).toBe('done');
    expect(limit.tenants).toBe(0);
  });

  it('does no work for a client that has left, and frees its slot', async () => {
    const limit = new FairLimit({ ...limits, total: 1, each: 1 });
    const never = (): Promise<void> => new Promise(() => undefined);
    await expect(limit.run(never, newClient(true))).rejects.toThrow('tenant.busy');
    const first = openWork();
    const own = limit.run(first.work);
    const client = newClient();
    const waiting = limit.run(never, client);
    first.end();
    // The client gets the slot and disconnects before its work begins.
    client.destroyed = true;
    await own;
    await expect(waiting).rejects.toThrow('tenant.busy');
    expect(await limit.run(() => 'done')).toBe('done');
    expect(limit.tenants).toBe(0);
  });

  it('limits all waiting tasks, counts by another key when given, and reports when a tenant without running tasks waits', async () => {
    const limit = new FairLimit({ ...limits, total: 1, waitingInAll: 2 });
    const works = Array.from({ length: 3 }, openWork);
    const running = [limit.run(works[0]!.work, undefined, 'a'), limit.run(works[1]!.work, undefined, 'a')];
    expect(limit.starving).toBe(false);
    running.push(limit.run(works[2]!.work, undefined, 'b'));
    expect(limit.starving).toBe(true);
    await expect(limit.run(() => 'done', undefined, 'c')).rejects.toThrow('tenant.busy');
    expect(limit.tenants).toBe(2);
    for (const { end } of works) end();
    await Promise.all(running);
    expect(await limit.run(() => 'done', undefined, 'c')).toBe('done');
  });

  it('lets a client network hold only a part of the queue of a tenant, and the networks take turns', async () => {
    const limit = new FairLimit({ ...limits, total: 1, waiting: 4, waitingOfNetwork: 2 });
    const order: string[] = [];
    const ask = (ip: string, name: string): Promise<number> =>
      runInRequest({ requestId: 'r', ip }, () => inTenant('a', () => limit.run(() => order.push(name))));
    const first = openWork();
    const running = inTenant('a', () => limit.run(first.work));
    const waiting = [ask('192.0.2.1', 'a1'), ask('192.0.2.1', 'a2')];
    await expect(ask('192.0.2.1', 'a3')).rejects.toThrow('tenant.busy');
    const isFull = (ip: string): boolean => runInRequest({ requestId: 'r', ip }, () => inTenant('a', () => limit.isFull()));
    expect([isFull('192.0.2.1'), isFull('2001:db8::1')]).toEqual([true, false]);
    // Networks of 56 bits in one of 48 bits have one turn together.
    waiting.push(ask('2001:db8::1', 'b1'), ask('2001:db8:0:ff00::', 'b2'));
    // Another network finds the queue of the tenant full.
    await expect(ask('192.0.2.2', 'c1')).rejects.toThrow('tenant.busy');
    first.end();
    await Promise.all([running, ...waiting]);
    expect(order).toEqual(['a1', 'b1', 'a2', 'b2']);
    expect(limit.tenants).toBe(0);
  });

  it('does not count networks outside of requests', async () => {
    const limit = new FairLimit({ ...limits, total: 1, waitingOfNetwork: 1 });
    expect(await Promise.all([1, 2, 3, 4].map((number) => limit.run(() => number)))).toEqual([1, 2, 3, 4]);
  });

  it('frees the slot after work that fails', async () => {
    const limit = new FairLimit({ ...limits, total: 1 });
    await expect(limit.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await expect(
      limit.run(() => {
        throw new Error('at once');
      }),
    ).rejects.toThrow('at once');
    expect(await limit.run(() => 'done')).toBe('done');
  });
});
