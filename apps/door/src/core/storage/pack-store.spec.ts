import { describe, expect, it } from '@jest/globals';
import { killedPhones } from '../testing/killed-phones.js';
import { ModelLeases } from '../testing/model-leases.js';
import { gates, ModelNetwork } from '../testing/model-network.js';
import { ModelServer } from '../testing/model-server.js';
import type { Phone } from '../testing/phone.js';
import { until } from '../testing/until.js';

const makePhone = killedPhones();
const hour = 3_600_000;

/** A phone with the list of an event, which may be used for ten hours. */
async function phoneWithList({ clockError = 0, leases = false } = {}) {
  const time = { passed: 0 };
  const now = (): number => Date.now() + time.passed;
  const server = new ModelServer();
  server.now = now;
  const network = await ModelNetwork.make(server);
  if (leases) network.leases = new ModelLeases();
  const tickets = await network.sell(2);
  network.leaseEnd = new Date(now() + 10 * hour).toISOString();
  const phone = makePhone(network, now);
  phone.clockError = clockError;
  await phone.open(gates[0].uuid);
  await until(() => phone.engine.state.network.kind === 'live');
  return { phone, network, time, tickets };
}

const hasList = async ({ engine }: Phone): Promise<boolean> =>
  (await engine.door.db.read('files', (tx) => tx.objectStore('files').get('pack'))) !== undefined;

describe('the stored list', () => {
  it('is destroyed at its end also after its event was left, while the app stays open', async () => {
    const { phone, time } = await phoneWithList();
    await phone.engine.close();
    await phone.cutOff();
    time.passed = 9 * hour;
    await new Promise((done) => setTimeout(done, 2500));
    expect(await hasList(phone)).toBe(true);
    time.passed = 11 * hour;
    while (await hasList(phone)) await new Promise((done) => setTimeout(done, 20));
    expect(phone.engine.state.phase).toBe('choosing');
  });

  it('is destroyed at its end on a locked phone, which stays locked', async () => {
    const { phone, network, time } = await phoneWithList();
    network.locked = true;
    await until(() => phone.engine.state.phase === 'locked' || (phone.engine.wake(), false));
    await phone.cutOff();
    time.passed = 11 * hour;
    while (await hasList(phone)) await new Promise((done) => setTimeout(done, 20));
    expect(phone.engine.state).toMatchObject({ phase: 'locked', event: null });
    expect(phone.engine.door.pack).toBeNull();
  });

  it('lasts no longer when the clock was fast, and is set right while the app is closed', async () => {
    const { phone, time } = await phoneWithList({ clockError: 12 * hour });
    await phone.cutOff();
    expect(Math.abs(phone.engine.door.clock.offset + 12 * hour)).toBeLessThan(1000);
    await phone.kill();
    phone.clockError = 0;
    time.passed = 11 * hour;
    await phone.restart();
    expect(await hasList(phone)).toBe(false);
    expect(phone.engine.state.phase).toBe('choosing');
  });

  it('lets nobody in by a lease of before when the clock was fast, and is set right right after the list came', async () => {
    const { phone, time, tickets } = await phoneWithList({ clockError: 5 * hour, leases: true });
    // The app dies before it keeps what its clock showed.
    phone.line.mode = 'down';
    await phone.engine.door.files.write('seen', 0);
    await phone.kill();
    phone.clockError = 0;
    time.passed = 2 * hour;
    await phone.restart();
    expect(await phone.engine.scan(tickets[0]!.code, 'camera')).toMatchObject({ verdict: 'stop', reason: 'other_device' });
  });
});
