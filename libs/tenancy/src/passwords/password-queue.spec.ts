import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { UnavailableError } from '#kernel';
import { passwordPlaces, PasswordQueue, type PasswordCaller } from './password-queue.js';

const from = (client: string): PasswordCaller => ({ kind: 'network', client });

/** Starts calls that await something else, such as the database, before they hash a password. */
function attempts(queue: PasswordQueue, count: number, callerOf: (index: number) => PasswordCaller): Promise<string>[] {
  return Array.from({ length: count }, async (_, index) => {
    try {
      return await queue.run(callerOf(index), async (inTurn) => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        return inTurn(async () => 'hashed');
      });
    } catch (error) {
      return error instanceof UnavailableError ? 'refused' : String(error);
    }
  });
}

const counted = async (answers: Promise<string>[]): Promise<number> =>
  (await Promise.all(answers)).filter((one) => one === 'hashed').length;

describe('the password queue', () => {
  it('counts a call before its work awaits anything, so that the limit holds', async () => {
    const queue = new PasswordQueue();
    // If the limit were checked before an await and counted after it, all hundred calls would hash.
    expect(await counted(attempts(queue, 100, (index) => from(`10.0.${index}.1`)))).toBe(passwordPlaces.network.total);
    expect(await counted(attempts(queue, 100, (index) => from(`10.0.${index}.1`)))).toBe(passwordPlaces.network.total);
  });

  it('reserves places for other networks, known browsers and staff', async () => {
    const queue = new PasswordQueue();
    const one = attempts(queue, 100, (index) => from(`192.0.2.${index}`));
    const other = attempts(queue, 1, () => from('2001:db8::1'));
    const many = attempts(queue, 100, (index) => from(`10.0.${index}.1`));
    const known = attempts(queue, 1, () => ({ kind: 'browser', id: 'a' }));
    const staff = attempts(queue, 1, () => ({ kind: 'staff' }));
    const { total, each } = passwordPlaces.network;
    expect([await counted(one), await counted(other), await counted(many)]).toEqual([each, 1, total - each - 1]);
    expect([await counted(known), await counted(staff)]).toEqual([1, 1]);
  });

  it('hashes two passwords at a time, alternates between callers and skips closed connections', async () => {
    const queue = new PasswordQueue();
    const order: string[] = [];
    let running = 0;
    let most = 0;
    const hash = (name: string) => async (): Promise<void> => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
      order.push(name);
    };
    const ask = (client: string, connection?: EventEmitter & { destroyed: boolean }): Promise<void> =>
      queue.run(from(client), (inTurn) => inTurn(hash(client), connection));
    const flood = Array.from({ length: 8 }, () => ask('192.0.2.1'));
    const connection = Object.assign(new EventEmitter(), { destroyed: false });
    const gone = ask('198.51.100.1', connection);
    const other = ask('203.0.113.1');
    connection.emit('close');
    await expect(gone).rejects.toBeInstanceOf(UnavailableError);
    await Promise.all([...flood, other]);
    expect(most).toBe(2);
    // Two calls of the flood were running already, and the other caller comes next.
    expect(order.indexOf('203.0.113.1')).toBeLessThan(4);
    expect(order).not.toContain('198.51.100.1');
  });
});
