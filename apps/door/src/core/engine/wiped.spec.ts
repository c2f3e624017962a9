import { describe, expect, it } from '@jest/globals';
import { killedPhones } from '../testing/killed-phones.js';
import { eventId, ModelNetwork } from '../testing/model-network.js';
import { ModelServer } from '../testing/model-server.js';
import type { Phone } from '../testing/phone.js';
import { until } from '../testing/until.js';

const makePhone = killedPhones();

/** A phone that staff wiped while it had three lines, and that loses its network at that moment. */
async function wipedPhone(): Promise<{ phone: Phone; network: ModelNetwork; codes: string[] }> {
  const network = await ModelNetwork.make(new ModelServer());
  const codes = (await network.sell(5)).map(({ code }) => code);
  const phone = makePhone(network);
  await phone.open();
  await until(() => phone.engine.state.network.kind === 'live');
  await phone.cutOff();
  for (const code of codes.slice(0, 3)) expect((await phone.engine.scan(code, 'camera')).verdict).toBe('go');
  const cut = phone.engine.subscribe(() => {
    if (phone.engine.state.phase === 'wiped') phone.line.mode = 'down';
  });
  network.refusal = { status: 401, code: 'key.wiped' };
  phone.line.mode = 'up';
  phone.engine.wake();
  await until(() => phone.engine.state.phase === 'wiped');
  cut();
  network.refusal = null;
  return { phone, network, codes };
}

const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

describe('a wiped phone', () => {
  it('that is paired again loses nothing when its earlier attempt to send the old lines goes on', async () => {
    const { phone, network, codes } = await wipedPhone();
    const { engine } = phone;
    await expect(engine.pair('K7QF2-MXD9A')).rejects.toMatchObject({ code: 'unsent' });
    expect(engine.door.journal.unsent).toHaveLength(3);
    // The background failed once and waits for its next attempt.
    await until(() => network.requests.filter((path) => path.endsWith('/scan/quarantine/')).length >= 3);
    phone.line.mode = 'up';
    await engine.pair('K7QF2-MXD9A');
    expect(network.quarantined).toHaveLength(3);
    await engine.open(eventId, null);
    // New lines wait, while the quarantine would take them.
    network.hangs = (path) => ['/scan/batch/', '/scan/ticket/'].includes(path);
    for (const code of codes.slice(3)) expect((await engine.scan(code, 'camera')).verdict).toBe('go');
    await sleep(4500);
    expect(engine.state).toMatchObject({ phase: 'open', network: { unsent: 2 } });
    expect(engine.door.journal.unsent).toHaveLength(2);
    network.hangs = () => false;
    await phone.restart();
    await until(() => network.server.inside === 2 && phone.engine.state.network.unsent === 0);
    expect(network.quarantined).toHaveLength(3);
    expect(phone.engine.state).toMatchObject({ phase: 'open', event: { id: eventId } });
  });

  it('can be paired again when the server does not take its old lines any more', async () => {
    const { phone, network } = await wipedPhone();
    network.quarantineRefusal = () => ({ status: 401, code: 'quarantine.token' });
    phone.line.mode = 'up';
    await phone.engine.pair('K7QF2-MXD9A');
    expect(phone.engine.state).toMatchObject({ phase: 'choosing', network: { unsent: 0 } });
  });

  it('sends fewer lines at once when a proxy takes no more, and loses none', async () => {
    const { phone, network } = await wipedPhone();
    network.quarantineRefusal = (lines) => (lines > 1 ? { status: 413, code: 'request.size' } : null);
    phone.line.mode = 'up';
    await phone.engine.pair('K7QF2-MXD9A');
    expect(network.quarantined).toHaveLength(3);
  });
});
