import { expect, it } from '@jest/globals';
import { killedPhones } from '../testing/killed-phones.js';
import { gates, ModelNetwork } from '../testing/model-network.js';
import { ModelServer } from '../testing/model-server.js';
import { until } from '../testing/until.js';
import { leastBetweenNames } from './search.js';

const makePhone = killedPhones();

it('fetches the names of tickets that are sold while the phone is live, not more often than the floor', async () => {
  const time = { passed: 0 };
  // Stands still on a slow machine, too.
  const began = Date.now();
  const now = (): number => began + time.passed;
  const server = new ModelServer();
  server.now = now;
  const network = await ModelNetwork.make(server);
  network.role = 'supervisor';
  await network.sell(2);
  const phone = makePhone(network, now);
  const { engine } = await phone.open(gates[0].uuid);
  const known = async (): Promise<number> => ((await engine.door.files.read<{ names: unknown[] }>('names'))?.names ?? []).length;
  const asked = (): number => network.requests.filter((path) => path.endsWith('/scan/names/')).length;
  const listed = (count: number): Promise<void> => until(() => engine.state.counts?.expected === count);
  while ((await known()) < 2) await new Promise((done) => setTimeout(done, 10));
  expect(asked()).toBe(1);
  await network.sell(1);
  await listed(3);
  await network.sell(1);
  await listed(4);
  expect(asked()).toBe(1);
  const [sold] = await network.sell(1);
  await listed(5);
  expect(asked()).toBe(1);
  time.passed += leastBetweenNames;
  engine.wake();
  while ((await known()) < 5) await new Promise((done) => setTimeout(done, 10));
  expect(asked()).toBe(2);
  // Nothing changes who has the tickets: the file stays.
  time.passed += leastBetweenNames;
  expect((await engine.scan(sold!.code, 'camera')).verdict).toBe('go');
  await until(() => engine.door.pack?.head.counts.inside === 1);
  await new Promise((done) => setTimeout(done, 300));
  expect(asked()).toBe(2);
});
