import { describe, expect, it } from '@jest/globals';
import { killedPhones } from '../testing/killed-phones.js';
import { gates, ModelNetwork } from '../testing/model-network.js';
import { ModelServer } from '../testing/model-server.js';
import { until } from '../testing/until.js';

const makePhone = killedPhones();
const server = () => new ModelServer();

const phoneAt = (network: ModelNetwork) => makePhone(network).open(gates[0].uuid);

describe('the engine with a server', () => {
  it('lets in once, by the server, and answers the same code in view without an alarm', async () => {
    const network = await ModelNetwork.make(server());
    const [ticket] = await network.sell(3);
    const { engine } = await phoneAt(network);
    await until(() => engine.state.network.kind === 'live');
    const first = await engine.scan(ticket!.code, 'camera');
    expect(first).toMatchObject({
      verdict: 'go',
      decidedBy: 'server',
      reason: null,
      holder: { firstName: 'Ada' },
      notes: ['Red wristband'],
    });
    expect(await engine.scan(ticket!.code, 'camera')).toMatchObject({ verdict: 'just', previous: { gate: 'Main door' } });
    expect(network.server.movements).toHaveLength(1);
    expect(engine.state.counts).toMatchObject({ inside: 1, admitted: 1 });
  });

  it('never calls a code used that stays in view, however long, also when no picture of it was read for a moment', async () => {
    let now = Date.now();
    const network = await ModelNetwork.make(server());
    network.server.now = () => now;
    const [ticket] = await network.sell(2);
    const { engine } = await makePhone(network, () => now).open(gates[0].uuid);
    await until(() => engine.state.network.kind === 'live');
    expect(await engine.scan(ticket!.code, 'camera')).toMatchObject({ verdict: 'go' });
    for (let second = 0; second < 25; second += 1) {
      now += 1000;
      engine.held(` ${ticket!.code} `);
    }
    now += 1600;
    expect(await engine.scan(ticket!.code, 'camera')).toMatchObject({ verdict: 'just', reason: null });
    now += 25_000;
    expect(await engine.scan(ticket!.code, 'camera')).toMatchObject({ verdict: 'stop', reason: 'already_scanned' });
    // A code that nobody decided about is not known from looking at it.
    engine.held('another');
    expect(await engine.scan('another', 'camera')).toMatchObject({ verdict: 'stop', reason: 'malformed' });
  });

  it('decides by the list without a network, and sends its journal when it is back', async () => {
    const network = await ModelNetwork.make(server());
    const [one, other] = await network.sell(3);
    const phone = await phoneAt(network);
    const { engine } = phone;
    await phone.cutOff();
    const result = await engine.scan(one!.code, 'camera');
    expect(result).toMatchObject({ verdict: 'go', decidedBy: 'list', holder: { lastName: one!.name[1] }, product: 'Concert' });
    await engine.undo((await engine.scan(other!.code, 'camera')).scanId);
    expect(engine.state.network).toMatchObject({ kind: 'offline', unsent: 3 });
    expect(engine.state.counts).toMatchObject({ inside: 1 });
    phone.line.mode = 'up';
    await until(() => engine.state.network.unsent === 0);
    expect(network.server.inside).toBe(1);
    expect(engine.state.network.kind).toBe('live');
    expect(engine.state.counts).toMatchObject({ inside: 1, admitted: 1 });
  });

  it('goes where staff move it, also back to a place that was left on the phone', async () => {
    const network = await ModelNetwork.make(server());
    const { engine } = await phoneAt(network);
    const [main, balcony] = gates;
    // Another number of moves follows the first contact, which only stores it.
    const placed = async (place: ModelNetwork['place'], holds: () => boolean): Promise<void> => {
      network.place = place;
      await until(() => holds() || (engine.wake(), false));
    };
    const heard = async (): Promise<void> => {
      const before = network.requests.filter((one) => one.endsWith('/scan/contact/')).length;
      engine.wake();
      await until(() => network.requests.filter((one) => one.endsWith('/scan/contact/')).length > before + 1 || (engine.wake(), false));
    };
    network.place = { event: null, gate: null, moves: 0 };
    await heard();
    await placed({ event: null, gate: balcony.uuid, moves: 1 }, () => engine.state.gate?.id === balcony.uuid);
    await engine.changeGate(main.uuid);
    await heard();
    expect(engine.state.gate?.id).toBe(main.uuid);
    await placed({ event: null, gate: balcony.uuid, moves: 2 }, () => engine.state.gate?.id === balcony.uuid);

    const other = 'f8838409-22db-49cb-8a1d-b372e4d8489b';
    network.event = { uuid: other, name: 'Late show' };
    network.locked = true;
    network.place = { event: other, gate: main.uuid, moves: 3 };
    await until(() => engine.state.phase === 'locked' || (engine.wake(), false));
    network.locked = false;
    await until(() => engine.state.event?.id === other || (engine.wake(), false));
    await until(() => engine.state.phase === 'open');
    expect(engine.state.gate?.id).toBe(main.uuid);
  });

  it('counts its people without a gap while the journal becomes a part of the list', async () => {
    const network = await ModelNetwork.make(server());
    const [one, other] = await network.sell(4);
    const phone = await phoneAt(network);
    const { engine } = phone;
    await phone.cutOff();
    for (const ticket of [one, other]) await engine.scan(ticket!.code, 'camera');
    const seen = new Set<string>();
    engine.subscribe(() => seen.add(`${engine.state.counts?.inside} ${engine.state.counts?.admitted}`));
    // Something else changes on the phone while the list is being stored.
    const { packStore } = engine.door;
    const add = packStore.add.bind(packStore);
    let stored = 0;
    packStore.add = async (...given) => {
      stored += 1;
      engine.door.refresh();
      await add(...given);
    };
    phone.line.mode = 'up';
    await until(() => engine.state.network.unsent === 0 && engine.door.journal.entries.length === 0);
    expect(stored).toBeGreaterThan(0);
    expect([...seen]).toEqual(['2 2']);
  });

  it('records one more of a reservation under the code of somebody who is inside', async () => {
    const network = await ModelNetwork.make(server());
    const [one] = await network.sell(3, { reservation: 7 });
    const phone = await phoneAt(network);
    const { engine } = phone;
    await phone.cutOff();
    const first = await engine.scan(one!.code, 'camera');
    expect(first).toMatchObject({ verdict: 'go', group: { count: 3, inside: 1 } });
    expect(await engine.admitGroup(first.scanId, 1)).toMatchObject({ verdict: 'go', group: { inside: 2, expected: 1 } });
    expect(engine.state.counts).toMatchObject({ inside: 2, admitted: 2 });
    phone.line.mode = 'up';
    await until(() => engine.state.network.unsent === 0);
    expect(network.server.inside).toBe(2);
    expect(network.server.conflicts).toEqual([]);
  });

  it('asks the server for the others of a reservation that was sold after the last list', async () => {
    const network = await ModelNetwork.make(server());
    const { engine } = await phoneAt(network);
    await until(() => engine.state.network.kind === 'live');
    const signed = network.signed.bind(network);
    let release: () => void = () => {};
    const held = new Promise<void>((done) => (release = done));
    network.signed = async (payload) => {
      await held;
      return signed(payload);
    };
    const [one] = await network.sell(3, { reservation: 7 });
    const first = await engine.scan(one!.code, 'camera');
    expect(first).toMatchObject({ verdict: 'go', decidedBy: 'server' });
    expect(await engine.admitGroup(first.scanId, 2)).toMatchObject({ verdict: 'go', decidedBy: 'server' });
    expect(network.server.inside).toBe(3);
    expect(engine.state.counts).toMatchObject({ inside: 3, admitted: 3 });
    release();
    await until(() => engine.door.journal.entries.length === 0);
    expect(engine.state.counts).toMatchObject({ inside: 3, admitted: 3 });
  });
});
