import { expect, it } from 'vitest';
import type { Credentials } from '../engine/context.js';
import { killedPhones } from '../testing/killed-phones.js';
import { ModelNetwork } from '../testing/model-network.js';
import { ModelServer } from '../testing/model-server.js';
import { until } from '../testing/until.js';

const makePhone = killedPhones();
const hour = 3_600_000;

it.each([
  ['right', 0],
  ['two hours slow', -2 * hour],
])('a phone without a network locks itself when its opening hours end; its clock is %s', async (_, clockError) => {
  let passed = 0;
  const now = (): number => Date.now() + passed;
  const server = new ModelServer();
  server.now = now;
  const network = await ModelNetwork.make(server);
  const [ticket] = await network.sell(1);
  const closesAt = now() + hour;
  network.closesAt = new Date(closesAt).toISOString();
  const phone = makePhone(network, now);
  phone.clockError = clockError;
  await phone.open();
  await until(() => phone.engine.door.credentials?.closesAt === closesAt);
  await phone.cutOff();
  passed = 0.9 * hour;
  await new Promise((done) => setTimeout(done, 2500));
  expect(phone.engine.state.phase).toBe('open');
  passed = 1.1 * hour;
  await until(() => phone.engine.state.phase === 'locked');
  expect(phone.engine.state).toMatchObject({ opensAt: null, closedAt: closesAt });
  expect(await phone.engine.scan(ticket!.code, 'camera')).toMatchObject({ verdict: 'ask', reason: 'failed' });
  // A start without a network does not open it.
  await phone.restart();
  await until(() => phone.engine.state.phase === 'locked');
  // Staff extend the hours.
  network.closesAt = new Date(closesAt + 3 * hour).toISOString();
  phone.line.mode = 'up';
  phone.engine.wake();
  await until(() => phone.engine.state.phase === 'open');
  await until(() => phone.engine.state.network.kind === 'live');
  expect(await phone.engine.scan(ticket!.code, 'camera')).toMatchObject({ verdict: 'go', decidedBy: 'server' });
});

it.each([
  ['opens when its hours begin', true],
  ['stays locked when staff locked it', false],
])('a locked phone that starts without a network %s', async (_, hasHours) => {
  let passed = 0;
  const now = (): number => Date.now() + passed;
  const server = new ModelServer();
  server.now = now;
  const network = await ModelNetwork.make(server);
  const [ticket] = await network.sell(1);
  const phone = makePhone(network, now);
  await phone.open();
  const opensAt = now() + hour;
  network.locked = true;
  network.opensAt = hasHours ? new Date(opensAt).toISOString() : null;
  network.closesAt = new Date(opensAt + 3 * hour).toISOString();
  phone.engine.wake();
  // The lock is on disk.
  let stored: Credentials | undefined;
  while (!stored?.locked) stored = await phone.engine.door.files.read<Credentials>('credentials');
  phone.line.mode = 'down';
  passed = 0.5 * hour;
  await phone.restart();
  await until(() => phone.engine.state.phase === 'locked');
  expect(phone.engine.state).toMatchObject({ opensAt: hasHours ? opensAt : null, closedAt: null });
  expect(await phone.engine.scan(ticket!.code, 'camera')).toMatchObject({ verdict: 'ask', reason: 'failed' });
  passed = 1.1 * hour;
  if (!hasHours) {
    await new Promise((done) => setTimeout(done, 2500));
    expect(phone.engine.state.phase).toBe('locked');
    return;
  }
  await until(() => phone.engine.state.phase === 'open');
  expect(phone.engine.state.opensAt).toBe(null);
  expect(await phone.engine.scan(ticket!.code, 'camera')).toMatchObject({ verdict: 'go', decidedBy: 'list' });
  // They end, too.
  passed = 4.1 * hour;
  await until(() => phone.engine.state.phase === 'locked');
});
