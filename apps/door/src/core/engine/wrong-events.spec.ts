import { describe, expect, it } from '@jest/globals';
import { killedPhones } from '../testing/killed-phones.js';
import { ModelNetwork, otherEventId } from '../testing/model-network.js';
import { ModelServer } from '../testing/model-server.js';
import type { Phone } from '../testing/phone.js';
import { until } from '../testing/until.js';

const phoneOf = killedPhones();

async function cutOff(): Promise<{ server: ModelServer; network: ModelNetwork; phone: Phone }> {
  const server = new ModelServer();
  const network = await ModelNetwork.make(server);
  await network.sell(1);
  const phone = await phoneOf(network).open();
  await phone.cutOff();
  return { server, network, phone };
}

function heal(phone: Phone): void {
  phone.line.mode = 'up';
  phone.engine.wake();
}

describe('a ticket that the list lacks, without a network', () => {
  it('of another event stays expected there when a person let it in, and the phone says so', async () => {
    const { server, network, phone } = await cutOff();
    const [ticket] = await network.sell(1, { event: otherEventId });
    const asked = await phone.engine.scan(ticket!.code, 'camera');
    expect(asked).toMatchObject({ verdict: 'ask', reason: 'not_in_list' });
    await phone.engine.admit(asked.scanId);
    heal(phone);
    await until(() => phone.corrections.some(({ reason }) => reason === 'wrong_event'));
    expect(phone.corrections.at(-1)).toMatchObject({
      scanId: asked.scanId,
      verdict: 'stop',
      other: { event: 'Another evening', place: 'Blue Hall' },
    });
    expect([server.movements, server.placeOf(ticket!)]).toEqual([[], 0]);
    await until(() => phone.engine.state.conflicts.length === 1 && phone.engine.state.counts?.inside === 0);
    // The person went away after all: the ledger says it, and nothing else moves.
    await phone.engine.undo(asked.scanId);
    await until(() => server.conflicts[0]?.withdrawn === true);
  });

  it('asks the server as soon as there is a network, while its result is on the screen, and is decided once', async () => {
    const { server, network, phone } = await cutOff();
    const [late] = await network.sell(1);
    const [stranger] = await network.sell(1, { event: otherEventId });
    const first = await phone.engine.scan(late!.code, 'camera');
    const second = await phone.engine.scan(stranger!.code, 'camera');
    expect([first.verdict, second.verdict]).toEqual(['ask', 'ask']);
    expect(await phone.engine.askAgain(first.scanId)).toBeNull();
    expect(phone.corrections).toEqual([]);
    heal(phone);
    await until(() => phone.engine.state.network.kind === 'live');
    for (const { scanId } of [first, second]) await phone.engine.askAgain(scanId);
    expect(phone.corrections).toMatchObject([
      { scanId: first.scanId, verdict: 'go', decidedBy: 'server' },
      { scanId: second.scanId, verdict: 'stop', reason: 'wrong_event' },
    ]);
    await phone.engine.askAgain(first.scanId);
    expect(server.movements).toHaveLength(1);
    expect(phone.corrections).toHaveLength(2);
  });

  it('asks again about a typed reference', async () => {
    const { network, phone } = await cutOff();
    const [late] = await network.sell(1);
    const asked = await phone.engine.scan(late!.id.slice(0, 8), 'typed');
    expect(asked).toMatchObject({ verdict: 'ask', reason: 'failed' });
    heal(phone);
    await until(() => phone.engine.state.network.kind === 'live');
    expect(await phone.engine.askAgain(asked.scanId)).toMatchObject({ verdict: 'go' });
    expect(await phone.engine.askAgain(asked.scanId)).toBeNull();
  });

  it('is not lost at a server of an earlier version, which does not know that lines have an event', async () => {
    const { server, network, phone } = await cutOff();
    server.isOld = true;
    const [late] = await network.sell(1);
    const asked = await phone.engine.scan(late!.code, 'camera');
    await phone.engine.admit(asked.scanId);
    heal(phone);
    await until(() => server.movements.length === 1 && phone.engine.state.network.unsent === 0);
    expect(server.placeOf(late!)).toBe(1);
  });
});
