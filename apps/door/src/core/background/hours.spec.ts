import { expect, it } from '@jest/globals';
import type { Credentials } from '../door/context.js';
import { killedPhones } from '../testing/killed-phones.js';
import { ModelNetwork } from '../testing/model-network.js';
import { ModelServer } from '../testing/model-server.js';
import type { ModelTicket } from '../testing/model-tickets.js';
import type { Phone } from '../testing/phone.js';
import { untilStored } from '../testing/stored-data.js';
import { until } from '../testing/until.js';
import { inLongRuns } from '../../../../../test/support/long-run.js';

const makePhone = killedPhones();
const hour = 3_600_000;

interface PhoneInTime {
  readonly network: ModelNetwork;
  readonly phone: Phone;
  readonly ticket: ModelTicket;
  /** The time of the server. */
  readonly now: () => number;
  /** Sets how many milliseconds have passed, for server and phone. */
  readonly pass: (ms: number) => void;
}

/** A server with one ticket, and a phone that is not open yet. */
async function phoneInTime(clockError = 0): Promise<PhoneInTime> {
  let passed = 0;
  const now = (): number => Date.now() + passed;
  const server = new ModelServer();
  server.now = now;
  const network = await ModelNetwork.make(server);
  const [ticket] = await network.sell(1);
  const phone = makePhone(network, now);
  phone.clockError = clockError;
  return { network, phone, ticket: ticket!, now, pass: (ms) => (passed = ms) };
}

const clocks: [string, number][] = [
  ['right', 0],
  ['two hours slow', -2 * hour],
];

it.each(inLongRuns(clocks, clocks.slice(1)))(
  'a phone without a network locks itself when its opening hours end; its clock is %s',
  async (_, clockError) => {
    const { network, phone, ticket, now, pass } = await phoneInTime(clockError);
    const closesAt = now() + hour;
    network.closesAt = new Date(closesAt).toISOString();
    await phone.open();
    await until(() => phone.engine.door.credentials?.closesAt === closesAt);
    await phone.cutOff();
    pass(0.9 * hour);
    await new Promise((done) => setTimeout(done, 2500));
    expect(phone.engine.state.phase).toBe('open');
    pass(1.1 * hour);
    await until(() => phone.engine.state.phase === 'locked');
    expect(phone.engine.state).toMatchObject({ opensAt: null, closedAt: closesAt });
    expect(await phone.engine.scan(ticket.code, 'camera')).toMatchObject({ verdict: 'ask', reason: 'failed' });
    // A start without a network does not open it.
    await phone.restart();
    await until(() => phone.engine.state.phase === 'locked');
    // Staff extend the hours.
    network.closesAt = new Date(closesAt + 3 * hour).toISOString();
    phone.line.mode = 'up';
    phone.engine.wake();
    await until(() => phone.engine.state.phase === 'open');
    await until(() => phone.engine.state.network.kind === 'live');
    expect(await phone.engine.scan(ticket.code, 'camera')).toMatchObject({ verdict: 'go', decidedBy: 'server' });
  },
);

it.each([
  ['opens when its hours begin', true],
  ['stays locked when staff locked it', false],
])('a locked phone that starts without a network %s', async (_, hasHours) => {
  const { network, phone, ticket, now, pass } = await phoneInTime();
  await phone.open();
  const opensAt = now() + hour;
  network.locked = true;
  network.opensAt = hasHours ? new Date(opensAt).toISOString() : null;
  network.closesAt = new Date(opensAt + 3 * hour).toISOString();
  phone.engine.wake();
  // The lock is on disk.
  await untilStored(phone, 'credentials', (stored) => (stored as Credentials | undefined)?.locked === true);
  phone.line.mode = 'down';
  pass(0.5 * hour);
  await phone.restart();
  await until(() => phone.engine.state.phase === 'locked');
  expect(phone.engine.state).toMatchObject({ opensAt: hasHours ? opensAt : null, closedAt: null });
  expect(await phone.engine.scan(ticket.code, 'camera')).toMatchObject({ verdict: 'ask', reason: 'failed' });
  pass(1.1 * hour);
  if (!hasHours) {
    await new Promise((done) => setTimeout(done, 2500));
    expect(phone.engine.state.phase).toBe('locked');
    return;
  }
  await until(() => phone.engine.state.phase === 'open');
  expect(phone.engine.state.opensAt).toBe(null);
  expect(await phone.engine.scan(ticket.code, 'camera')).toMatchObject({ verdict: 'go', decidedBy: 'list' });
  // They end, too.
  pass(4.1 * hour);
  await until(() => phone.engine.state.phase === 'locked');
});
