import { expect, it } from '@jest/globals';
import { killedPhones } from '../testing/killed-phones.js';
import { gates, ModelNetwork } from '../testing/model-network.js';
import { ModelServer } from '../testing/model-server.js';
import { until } from '../testing/until.js';

const makePhone = killedPhones();

it('a phone without a network knows what is to be collected, also from a change of the list and after a start', async () => {
  const server = new ModelServer();
  const network = await ModelNetwork.make(server);
  const [first, later] = await network.sell(2);
  first!.due = '4.00';
  server.touch(first!);
  const phone = await makePhone(network).open(gates[0].uuid);
  await until(() => phone.engine.state.network.kind === 'live');
  later!.due = '12.50';
  server.touch(later!);
  await until(() => phone.engine.door.pack?.head.due?.[later!.hashText] === '12.50');
  await phone.cutOff();
  await phone.restart();
  for (const [ticket, due] of [
    [first!, '4.00'],
    [later!, '12.50'],
  ] as const)
    expect(await phone.engine.scan(ticket.code, 'camera')).toMatchObject({
      reason: 'not_paid',
      nextStep: { code: 'pay', text: null, due },
    });
});
