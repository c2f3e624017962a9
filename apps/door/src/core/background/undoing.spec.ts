import { expect, it } from 'vitest';
import { killedPhones } from '../testing/killed-phones.js';
import { gates, ModelNetwork } from '../testing/model-network.js';
import { ModelServer } from '../testing/model-server.js';
import { until } from '../testing/until.js';

const makePhone = killedPhones();

it('tells the ledger when an entry is taken back that came in twice', async () => {
  const network = await ModelNetwork.make(new ModelServer());
  const tickets = await network.sell(1);
  const code = tickets[0]!.code;
  const [one, other] = [await makePhone(network).open(gates[0].uuid), await makePhone(network).open(gates[0].uuid)];
  await one.cutOff();
  await other.cutOff();
  const first = await one.engine.scan(code, 'camera');
  const later = await other.engine.scan(code, 'camera');
  expect([first, later].map(({ verdict }) => verdict)).toEqual(['go', 'go']);
  for (const phone of [one, other]) {
    phone.line.mode = 'up';
    await until(() => phone.engine.state.network.unsent === 0 || (phone.engine.wake(), false));
  }
  // Which entry is the later one depends on the estimated clocks of both.
  const isCorrected = ({ corrections }: typeof one): boolean => corrections.some(({ reason }) => reason === 'double_entry');
  await until(() => isCorrected(one) || isCorrected(other));
  const [phone, { scanId }] = isCorrected(other) ? [other, later] : [one, first];
  expect(network.server.conflicts).toMatchObject([{ ticket: { code } }]);
  await phone.engine.undo(scanId);
  await until(() => network.server.conflicts[0]!.withdrawn === true);
  await until(() => phone.engine.state.network.unsent === 0);
  expect(network.server.inside).toBe(1);
  expect(phone.engine.state.counts).toMatchObject({ inside: 1 });
});
