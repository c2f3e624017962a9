import { expect, it } from '@jest/globals';
import { killedPhones } from '../testing/killed-phones.js';
import { gates, ModelNetwork } from '../testing/model-network.js';
import { ModelServer } from '../testing/model-server.js';

const makePhone = killedPhones();
const [main, balcony] = gates;

it('counts what is not sent yet at the gate where it happened, also when the phone goes to another one', async () => {
  const network = await ModelNetwork.make(new ModelServer());
  const [single] = await network.sell(1);
  const [lead] = await network.sell(3, { reservation: 7, type: 1 });
  const phone = await makePhone(network).open(main.uuid);
  const { engine } = phone;
  await phone.cutOff();
  expect(await engine.scan(single!.code, 'camera')).toMatchObject({ verdict: 'go' });
  const first = await engine.scan(lead!.code, 'camera');
  expect(await engine.admitGroup(first.scanId, 1)).toMatchObject({ verdict: 'go' });
  const inside = (): number[] => engine.state.gates.map((gate) => gate.inside);
  expect(inside()).toEqual([3, 0]);
  await engine.changeGate(balcony.uuid);
  expect(inside()).toEqual([3, 0]);
  // The same after a start: the journal says where it was.
  await phone.restart();
  expect(phone.engine.state.gate?.id).toBe(balcony.uuid);
  expect(phone.engine.state.gates.map((gate) => gate.inside)).toEqual([3, 0]);
  expect(phone.engine.state.counts).toMatchObject({ inside: 3, admitted: 3 });
});
