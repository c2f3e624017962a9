import { describe, expect, it } from '@jest/globals';
import { killedPhones } from '../../testing/killed-phones.js';
import { ModelNetwork } from '../../testing/model-network.js';
import { ModelServer } from '../../testing/model-server.js';
import type { Phone } from '../../testing/phone.js';
import { untilStored } from '../../testing/stored-data.js';
import { until } from '../../testing/until.js';

const makePhone = killedPhones();

async function phoneAt(network: ModelNetwork): Promise<Phone> {
  const phone = await makePhone(network).open();
  await until(() => phone.engine.state.network.kind === 'live');
  return phone;
}

describe('a typed reference', () => {
  it('decides like the code of its ticket, with the role that only scans, and is undone like a scan', async () => {
    const network = await ModelNetwork.make(new ModelServer());
    const [ticket] = await network.sell(2);
    const { engine } = await phoneAt(network);
    const typed = ` #${ticket!.id.slice(0, 4).toUpperCase()} ${ticket!.id.slice(4, 8).toUpperCase()} `;
    const result = await engine.scan(typed, 'typed');
    expect(result).toMatchObject({ verdict: 'go', decidedBy: 'server', holder: { firstName: 'Ada' } });
    expect(network.server.inside).toBe(1);
    expect(await engine.scan(ticket!.code, 'camera')).toMatchObject({ verdict: 'just' });
    await engine.undo(result.scanId);
    expect(network.server.inside).toBe(0);
    expect(await engine.scan(ticket!.id, 'typed')).toMatchObject({ verdict: 'go' });
  });

  it('is decided by the code that a server of an earlier version answers', async () => {
    const network = await ModelNetwork.make(new ModelServer());
    network.isOldReference = true;
    const [ticket] = await network.sell(1);
    const { engine } = await phoneAt(network);
    expect(await engine.scan(ticket!.id.slice(0, 8), 'typed')).toMatchObject({ verdict: 'go', decidedBy: 'server' });
    expect(engine.door.own.of(ticket!.hashText)).toMatchObject({ place: 1 });
  });

  it('is unknown only when the server says so', async () => {
    const network = await ModelNetwork.make(new ModelServer());
    await network.sell(2);
    const { engine } = await phoneAt(network);
    const nextStep = { code: 'to_desk', text: 'No ticket.' };
    expect(await engine.scan('00000000', 'typed')).toMatchObject({ verdict: 'stop', reason: 'unknown', decidedBy: 'server', nextStep });
  });

  it.each([429, 403, 500])('with an answer %i asks a person', async (status) => {
    const network = await ModelNetwork.make(new ModelServer());
    const [ticket] = await network.sell(2);
    const phone = await phoneAt(network);
    phone.line.status = status;
    expect(await phone.engine.scan(ticket!.id.slice(0, 8), 'typed')).toMatchObject({ verdict: 'ask', reason: 'failed', undoUntil: null });
  });

  it('without a network needs one, because the list has no references', async () => {
    const network = await ModelNetwork.make(new ModelServer());
    const [ticket, other] = await network.sell(2);
    const phone = await phoneAt(network);
    await phone.cutOff();
    const asked = { verdict: 'ask', reason: 'failed', nextStep: { code: 'connect' } };
    expect(await phone.engine.scan(ticket!.id.slice(0, 8), 'typed')).toMatchObject(asked);
    // The scans go on, also with the whole number at the foot of a ticket, which the list knows.
    expect(await phone.engine.scan(ticket!.code, 'camera')).toMatchObject({ verdict: 'go', decidedBy: 'list' });
    expect(await phone.engine.scan(other!.id, 'typed')).toMatchObject({ verdict: 'go', decidedBy: 'list' });
    phone.line.mode = 'up';
    phone.engine.wake();
    await until(() => phone.engine.state.network.unsent === 0 && network.server.inside === 2);
  });

  it('without a network decides by the list with a role that has the file of names', async () => {
    const network = await ModelNetwork.make(new ModelServer());
    network.role = 'supervisor';
    const [ticket] = await network.sell(1);
    const phone = await phoneAt(network);
    await untilStored(phone, 'names');
    await phone.cutOff();
    // The reference of the reservation in the file.
    expect(await phone.engine.scan('ABCD-1234', 'typed')).toMatchObject({ verdict: 'go', decidedBy: 'list', holder: { firstName: 'Ada' } });
    // A whole address is found, and is not on the phone.
    expect(await phone.engine.search('ADA@example.org')).toMatchObject([{ id: ticket!.id, state: 'inside' }]);
    expect(await phone.engine.search('example')).toEqual([]);
    expect(phone.engine.door.own.of(ticket!.hashText)).toMatchObject({ place: 1 });
    expect(await phone.engine.scan('00000000', 'typed')).toMatchObject({ verdict: 'ask', reason: 'failed', nextStep: { code: 'connect' } });
  });
});
