import { expect, it } from '@jest/globals';
import { killedPhones } from '../testing/killed-phones.js';
import { gates, ModelNetwork } from '../testing/model-network.js';
import { ModelServer } from '../testing/model-server.js';
import { until } from '../testing/until.js';

const makePhone = killedPhones();

const phoneAt = (network: ModelNetwork) => makePhone(network).open(gates[0].uuid);

it.each([true, false])('lets out by a tap whose entry is on another phone, and takes that back (asked the server: %s)', async (asks) => {
  const network = await ModelNetwork.make(new ModelServer());
  const tickets = await network.sell(2);
  const [inside, exit] = [await phoneAt(network), await phoneAt(network)];
  await inside.cutOff();
  for (const { code } of tickets) expect(await inside.engine.scan(code, 'camera')).toMatchObject({ verdict: 'go' });
  if (asks) await until(() => exit.engine.state.network.kind === 'live');
  else await exit.cutOff();
  exit.engine.turn('exit');
  const scanIds: string[] = [];
  for (const { code } of tickets) {
    const asked = await exit.engine.scan(code, 'camera');
    expect(asked).toMatchObject({ verdict: 'ask', reason: 'not_inside', decidedBy: asks ? 'server' : 'list' });
    expect(await exit.engine.admit(asked.scanId)).toMatchObject({ verdict: 'out', reason: null });
    scanIds.push(asked.scanId);
  }
  exit.line.mode = 'up';
  await until(() => exit.engine.state.network.unsent === 0 || (exit.engine.wake(), false));
  await exit.engine.undo(scanIds[1]!);
  await until(() => exit.engine.state.network.unsent === 0);
  expect(exit.corrections.map(({ verdict, provisional }) => [verdict, provisional])).toEqual([
    ['out', false],
    ['out', false],
  ]);
  inside.line.mode = 'up';
  await until(() => inside.engine.state.network.unsent === 0 || (inside.engine.wake(), false));
  expect(tickets.map((ticket) => network.server.placeOf(ticket))).toEqual([2, 1]);
  await until(() => [inside, exit].every(({ engine }) => engine.state.counts?.inside === 1));
});
