import { describe, expect, it, jest } from '@jest/globals';
import { killedPhones } from '../testing/killed-phones.js';
import { eventId, gates, ModelNetwork, otherEventId } from '../testing/model-network.js';
import { ModelServer } from '../testing/model-server.js';
import type { Phone } from '../testing/phone.js';
import { until } from '../testing/until.js';

const makePhone = killedPhones();

async function newPhone(now?: () => number): Promise<{ phone: Phone; network: ModelNetwork }> {
  const network = await ModelNetwork.make(new ModelServer());
  const phone = makePhone(network, now);
  return { phone, network };
}

async function openPhone(): Promise<{ phone: Phone; network: ModelNetwork; codes: string[] }> {
  const { phone, network } = await newPhone();
  const codes = (await network.sell(3)).map(({ code }) => code);
  await phone.open(gates[0].uuid);
  await until(() => phone.engine.state.network.kind === 'live');
  return { phone, network, codes };
}

/** The next writes into the journal find no room. */
function fill({ engine }: Phone): () => void {
  const { db } = engine.door;
  const write = db.write.bind(db);
  const full = jest.spyOn(db, 'write').mockImplementation((names, work) => {
    if ([names].flat().includes('entries')) throw new DOMException('no room', 'QuotaExceededError');
    return write(names, work);
  });
  return () => full.mockRestore();
}

describe('a phone over an evening', () => {
  it('comes back to an event that was left by mistake, without a network', async () => {
    const { phone, codes } = await openPhone();
    await phone.cutOff();
    await phone.engine.close();
    expect(phone.engine.state).toMatchObject({ phase: 'choosing', event: null });
    await phone.restart();
    expect(phone.engine.state).toMatchObject({ phase: 'choosing', events: [{ id: eventId }, { id: otherEventId }] });
    await phone.engine.open(eventId, gates[0].uuid);
    expect(phone.engine.state).toMatchObject({ phase: 'open', gate: { id: gates[0].uuid } });
    expect(await phone.engine.scan(codes[0]!, 'camera')).toMatchObject({ verdict: 'go', decidedBy: 'list' });
  });

  it('asks in the language that is in use, also after somebody chose another one', async () => {
    const { phone, network, codes } = await openPhone();
    await phone.engine.scan(codes[0]!, 'camera');
    expect([...network.languages]).toEqual(['en']);
    phone.language = 'fr';
    network.languages.clear();
    await phone.engine.scan(codes[1]!, 'camera');
    expect([...network.languages]).toContain('fr');
  });

  it('opens an event whose list it has, and undoes, while nobody answers', async () => {
    const { phone, network, codes } = await openPhone();
    const { engine } = phone;
    await engine.close();
    network.hangs = (path) => ['/scan/pack/', '/scan/events/', '/scan/undo/'].includes(path);
    let began = performance.now();
    const took = (): number => performance.now() - began;
    // Less than the time limits of these requests.
    const longest = 4000;
    let isLoading = true;
    void engine
      .loadEvents()
      .catch(() => {})
      .finally(() => (isLoading = false));
    await engine.open(eventId, gates[0].uuid);
    expect(took()).toBeLessThan(longest);
    expect(engine.state).toMatchObject({ phase: 'open', event: { id: eventId }, gate: { id: gates[0].uuid } });
    const result = await engine.scan(codes[0]!, 'camera');
    expect(result).toMatchObject({ verdict: 'go', decidedBy: 'server' });
    began = performance.now();
    await engine.undo(result.scanId);
    expect(took()).toBeLessThan(longest);
    expect(isLoading).toBe(true);
    await until(() => network.server.inside === 0 && engine.state.network.unsent === 0);
    // The list follows again.
    network.hangs = () => false;
    await network.sell(1);
    engine.wake();
    await until(() => engine.state.counts?.expected === 4);
  });

  it('asks the server for the first scan after its start, also before it knows of a network', async () => {
    const { phone, network, codes } = await openPhone();
    await phone.kill();
    // Nothing but the scan is answered.
    network.hangs = (path) => path !== '/scan/ticket/';
    await phone.restart();
    expect(phone.engine.state.network.kind).toBe('offline');
    expect(await phone.engine.scan(codes[0]!, 'camera')).toMatchObject({ verdict: 'go', decidedBy: 'server' });
    expect(phone.engine.state.network.kind).toBe('live');
  });

  it.each(['hang', 'down'] as const)(
    'decides by the list after its start when nobody answers, and waits once at most: %s',
    async (mode) => {
      const { phone, codes } = await openPhone();
      await phone.kill();
      phone.line.mode = mode;
      await phone.restart();
      expect(await phone.engine.scan(codes[0]!, 'camera')).toMatchObject({ verdict: 'go', decidedBy: 'list' });
      expect(phone.engine.door.watch.patience).toBe(0);
      expect(await phone.engine.scan(codes[1]!, 'camera')).toMatchObject({ verdict: 'go', decidedBy: 'list', provisional: false });
    },
  );

  it('stays at the exit when the system kills the app', async () => {
    const { phone } = await openPhone();
    phone.engine.turn('exit');
    await phone.engine.changeGate(gates[1].uuid);
    await phone.restart();
    expect(phone.engine.state).toMatchObject({ phase: 'open', direction: 'exit', gate: { id: gates[1].uuid } });
    await phone.engine.close();
    expect(phone.engine.state.direction).toBe('entry');
  });

  it('destroys the list when it is started after its time', async () => {
    let now = Date.now();
    const { phone, network } = await newPhone(() => now);
    network.role = 'supervisor';
    await phone.open();
    await phone.kill();
    now += 80_000_000;
    await phone.restart();
    expect(phone.engine.state).toMatchObject({ phase: 'choosing', event: null });
    expect(await phone.engine.door.packStore.load()).toBeUndefined();
    expect(await phone.engine.door.files.read('names')).toBeUndefined();
  });

  it('says when it opens, and opens soon after the team has unlocked it', async () => {
    const { phone, network } = await openPhone();
    const opensAt = Date.now() + 3_600_000;
    Object.assign(network, { locked: true, opensAt: new Date(opensAt).toISOString() });
    phone.engine.wake();
    await until(() => phone.engine.state.phase === 'locked');
    expect(phone.engine.state.opensAt).toBe(opensAt);
    network.opensAt = new Date(Date.now() - 1).toISOString();
    phone.engine.wake();
    await until(() => phone.engine.state.opensAt === null);
    network.locked = false;
    await until(() => phone.engine.state.phase === 'open');
  });

  it('locks at the first answer that says so', async () => {
    const { phone, network, codes } = await openPhone();
    network.refusal = { status: 403, code: 'device.locked' };
    await phone.engine.scan(codes[0]!, 'camera');
    expect(phone.engine.state.phase).toBe('locked');
    network.refusal = null;
  });
});

describe('a role that staff change', () => {
  const named = async (phone: Phone): Promise<boolean> => (await phone.engine.door.files.read('names')) !== undefined;

  it('takes the names away with the right to search, also when the app is killed right after', async () => {
    const { phone, network } = await newPhone();
    const { engine } = phone;
    network.role = 'supervisor';
    await network.sell(2);
    await phone.open();
    const heard = (role: string): Promise<void> => {
      network.role = role;
      return until(() => engine.state.role === role || (engine.wake(), false));
    };
    await until(() => engine.state.network.kind === 'live');
    while (!(await named(phone))) await new Promise((done) => setTimeout(done, 10));
    await heard('search');
    expect(await named(phone)).toBe(true);
    await heard('scan');
    while (await named(phone)) await new Promise((done) => setTimeout(done, 10));
    await phone.restart();
    expect(phone.engine.state.role).toBe('scan');
    expect(await named(phone)).toBe(false);
  });

  it('writes no names that arrive after the right to search is gone', async () => {
    const { phone, network } = await newPhone();
    const { engine } = phone;
    network.role = 'supervisor';
    await network.sell(2);
    let release = (): void => {};
    const held = new Promise<void>((done) => (release = done));
    network.late = (path) => (path === '/scan/names/' ? held : undefined);
    await phone.open();
    await until(() => network.requests.some((path) => path.endsWith('/scan/names/')));
    network.role = 'scan';
    await until(() => engine.state.role === 'scan' || (engine.wake(), false));
    release();
    await new Promise((done) => setTimeout(done, 300));
    expect(await named(phone)).toBe(false);
    expect(await engine.search('Ada').catch(({ code }: { code: string }) => code)).toBe('device.permission');
    await phone.kill();
  });
});

describe('pairing', () => {
  it('that is killed at any write leaves a phone that can be paired, and is not taken for a wiped one', async () => {
    for (let failing = 1; failing <= 6; failing += 1) {
      const { phone, network } = await newPhone();
      await phone.engine.start();
      const { db } = phone.engine.door;
      const write = db.write.bind(db);
      let writes = 0;
      jest.spyOn(db, 'write').mockImplementation((names, work) => {
        writes += 1;
        // The app is gone: this write never ends.
        return writes >= failing ? new Promise<never>(() => {}) : write(names, work);
      });
      void phone.engine.pair('K7QF2-MXD9A').catch(() => {});
      await until(() => writes >= failing || phone.engine.state.phase === 'choosing');
      jest.restoreAllMocks();
      await phone.restart();
      const { phase } = phone.engine.state;
      expect([`write ${failing}`, phase]).toEqual([`write ${failing}`, expect.stringMatching(/^(?:unpaired|choosing)$/)]);
      if (phase === 'unpaired') await phone.engine.pair('K7QF2-MXD9A');
      expect(phone.engine.state.phase).toBe('choosing');
      expect(new Set(network.pairings.map(({ installation }) => installation)).size).toBe(1);
    }
  });

  it('with another code sends the journal first, and keeps what was there when the code fails', async () => {
    const { phone, network, codes } = await openPhone();
    const { engine } = phone;
    expect(await engine.isOwnCode('K7QF2-MXD9A')).toBe(true);
    expect(await engine.isOwnCode('SPENT')).toBe(false);
    await phone.cutOff();
    await engine.scan(codes[0]!, 'camera');
    await expect(engine.pairAgain('H7QF2-MXD9B')).rejects.toMatchObject({ code: 'unsent' });
    phone.line.mode = 'up';
    await expect(engine.pairAgain('SPENT')).rejects.toMatchObject({ code: 'pairing.spent' });
    expect(engine.state).toMatchObject({ phase: 'open', network: { unsent: 0 } });
    expect(network.server.inside).toBe(1);
    await engine.pairAgain('H7QF2-MXD9B');
    expect(engine.state.phase).toBe('choosing');
    expect(await engine.isOwnCode('H7QF2-MXD9B')).toBe(true);
    await engine.open(eventId, null);
    await until(() => engine.state.network.kind === 'live');
    expect((await engine.scan(codes[1]!, 'camera')).verdict).toBe('go');
    expect(new Set(network.pairings.map(({ installation }) => installation)).size).toBe(1);
  });
});

describe('a full phone', () => {
  it('is never green, says what to do, and lets the same person in once there is room', async () => {
    const { phone, network, codes } = await openPhone();
    const silent = jest.spyOn(console, 'error').mockImplementation(() => {});
    const empty = fill(phone);
    const refused = { verdict: 'ask', reason: 'failed', nextStep: { code: 'free_space' } };
    expect(await phone.engine.scan(codes[0]!, 'camera')).toMatchObject(refused);
    // The server let them in, and nobody saw it.
    expect(network.server.inside).toBe(1);
    await phone.cutOff();
    expect(await phone.engine.scan(codes[1]!, 'camera')).toMatchObject(refused);
    empty();
    silent.mockRestore();
    phone.line.mode = 'up';
    phone.engine.wake();
    await until(() => phone.engine.state.network.kind === 'live');
    expect((await phone.engine.scan(codes[0]!, 'camera')).verdict).toBe('go');
    expect((await phone.engine.scan(codes[1]!, 'camera')).verdict).toBe('go');
    expect(network.server.inside).toBe(2);
  });
});
