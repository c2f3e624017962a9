import { expect, it } from '@jest/globals';
import { killedPhones } from '../testing/killed-phones.js';
import { gates, ModelNetwork } from '../testing/model-network.js';
import { ModelServer } from '../testing/model-server.js';
import { until } from '../testing/until.js';

const makePhone = killedPhones();

it('tells the ledger when an entry is taken back that came in twice', async () => {
  let passed = 0;
  const now = (): number => Date.now() + passed;
  const server = new ModelServer();
  server.now = now;
  const network = await ModelNetwork.make(server);
  const tickets = await network.sell(1);
  const code = tickets[0]!.code;
  const [one, other] = [await makePhone(network, now).open(gates[0].uuid), await makePhone(network, now).open(gates[0].uuid)];
  await one.cutOff();
  await other.cutOff();
  const first = await one.engine.scan(code, 'camera');
  // Longer than the estimates of both clocks may differ.
  passed = 10_000;
  const later = await other.engine.scan(code, 'camera');
  expect([first, later].map(({ verdict }) => verdict)).toEqual(['go', 'go']);
  for (const phone of [one, other]) {
    phone.line.mode = 'up';
    await until(() => phone.engine.state.network.unsent === 0 || (phone.engine.wake(), false));
  }
  await until(() => other.corrections.some(({ reason }) => reason === 'double_entry'));
  expect(server.conflicts).toMatchObject([{ ticket: { code } }]);
  await other.engine.undo(later.scanId);
  await until(() => server.conflicts[0]!.withdrawn === true);
  await until(() => other.engine.state.network.unsent === 0);
  expect(server.inside).toBe(1);
  // The entry of the other phone is in its next list.
  await until(() => other.engine.state.counts?.inside === 1);
});
