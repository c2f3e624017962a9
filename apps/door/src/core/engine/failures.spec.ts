import { describe, expect, it, jest } from '@jest/globals';
import { killedPhones } from '../testing/killed-phones.js';
import { ModelNetwork } from '../testing/model-network.js';
import { ModelServer } from '../testing/model-server.js';
import type { Phone } from '../testing/phone.js';
import { decrypted, dump, untilStored } from '../testing/stored-data.js';
import { until } from '../testing/until.js';
import { longRun } from '../../../../../test/support/long-run.js';

/** 10,000 by hand. */
const strings = Number(process.env['DOOR_STRINGS'] ?? (longRun ? 1000 : 80));
const makePhone = killedPhones();

async function phoneAt(network: ModelNetwork): Promise<Phone> {
  const phone = makePhone(network);
  await phone.open();
  await until(() => phone.engine.state.network.kind === 'live');
  return phone;
}

/** When another door let in: well before this phone, whose clock may be some milliseconds behind. The earlier of two entries counts. */
const wellBefore = (server: ModelServer): number => server.now() - 60_000;

describe('failures', () => {
  it(`${strings} random strings never block the next scan`, async () => {
    const network = await ModelNetwork.make(new ModelServer());
    const [ticket] = await network.sell(2);
    const phone = await phoneAt(network);
    const alphabet = `${ticket!.code}\u0000\u00ff\ud800 {}"'/`;
    for (let round = 0; round < strings; round += 1) {
      const length = Math.floor(Math.random() * 130);
      const text = Array.from({ length }, () => alphabet[Math.floor(Math.random() * alphabet.length)]).join('');
      expect(['stop', 'ask']).toContain((await phone.engine.scan(text, 'camera')).verdict);
    }
    expect(await phone.engine.scan(ticket!.code, 'camera')).toMatchObject({ verdict: 'go', decidedBy: 'server' });
  });

  it('decides by the list after the deadline, and corrects the result when the server refused', async () => {
    const server = new ModelServer();
    const network = await ModelNetwork.make(server);
    const [ticket] = await network.sell(2);
    const phone = await phoneAt(network);
    // Another door let the ticket in, and the list does not show it yet.
    phone.line.delay = 2500;
    const at = wellBefore(server);
    server.movements.push({ ticket: ticket!, outcome: 'accepted', device: 'other', scanId: 'other', at, undone: false });
    const began = performance.now();
    expect(await phone.engine.scan(ticket!.code, 'camera')).toMatchObject({ verdict: 'go', decidedBy: 'list', provisional: true });
    expect(performance.now() - began).toBeLessThan(2400);
    await until(() => phone.corrections.length > 0);
    expect(phone.corrections[0]).toMatchObject({ verdict: 'stop', reason: 'double_entry', previous: { device: 'other' } });
    phone.line.delay = 0;
    // The person is inside: the ledger has the double entry, once.
    await until(() => server.conflicts.length === 1 && phone.engine.state.network.unsent === 0);
    expect(server.movements).toHaveLength(1);
    // They are sent away: this entry is taken back, and the other one stays.
    await phone.engine.undo(phone.corrections[0]!.scanId);
    expect(server.inside).toBe(1);
  });

  it('says who let a ticket in before, also when the answer to the attempt got lost', async () => {
    const server = new ModelServer();
    const network = await ModelNetwork.make(server);
    const [ticket] = await network.sell(2);
    const phone = await phoneAt(network);
    const at = wellBefore(server);
    server.movements.push({ ticket: ticket!, outcome: 'accepted', device: 'other', scanId: 'other', at, undone: false });
    // A contact that fails first would say that there is no network, and the scan would not ask.
    network.hangs = (path) => path === '/scan/contact/';
    phone.line.mode = 'lost';
    expect(await phone.engine.scan(ticket!.code, 'camera')).toMatchObject({ verdict: 'go', decidedBy: 'list', provisional: true });
    network.hangs = () => false;
    phone.line.mode = 'up';
    phone.engine.wake();
    // The answer to the line says that the server had refused. The answer to the second line says whom it had let in.
    await until(() => phone.corrections.length === 2);
    const shown = phone.corrections.map(({ reason, previous }) => [reason, previous?.device]);
    expect(shown).toEqual([
      ['double_entry', undefined],
      ['double_entry', 'other'],
    ]);
  });

  it('records people who came in together by the list when the server refused because fewer were left', async () => {
    const server = new ModelServer();
    const network = await ModelNetwork.make(server);
    const [ticket, companion] = await network.sell(3, { reservation: 1 });
    const phone = await phoneAt(network);
    const { scanId } = await phone.engine.scan(ticket!.code, 'camera');
    phone.line.delay = 1100;
    server.movements.push({ ticket: companion!, outcome: 'accepted', device: 'other', scanId: 'other', at: server.now(), undone: false });
    expect(await phone.engine.admitGroup(scanId, 2)).toMatchObject({ verdict: 'go', decidedBy: 'list', provisional: true });
    await until(() => phone.corrections.length > 0);
    expect(phone.corrections[0]).toMatchObject({ verdict: 'stop', reason: 'not_enough' });
    phone.line.delay = 0;
    await until(() => phone.engine.state.network.unsent === 0 && server.inside === 3);
  });

  it.each([
    ['records an exit again that the server refused because it had not heard of the entry yet', true],
    ['says that an exit does not count when the server never hears of an entry', false],
  ])('%s', async (_, hears) => {
    const server = new ModelServer();
    const network = await ModelNetwork.make(server);
    const [ticket] = await network.sell(2);
    const phone = await phoneAt(network);
    const entry = { ticket: ticket!, outcome: 'accepted', device: 'other', scanId: 'other', at: server.now(), undone: false } as const;
    server.movements.push({ ...entry });
    server.touch(ticket!);
    await until(() => phone.engine.state.counts?.inside === 1);
    // The list shows an entry that the server has not.
    server.movements[0]!.undone = true;
    phone.line.delay = 1100;
    phone.engine.turn('exit');
    expect(await phone.engine.scan(ticket!.code, 'camera')).toMatchObject({ verdict: 'out', decidedBy: 'list', provisional: true });
    await until(() => server.attempts.size === 1);
    server.movements[0]!.undone = !hears;
    await until(() => server.lines.size === 2 && phone.engine.state.network.unsent === 0);
    phone.line.delay = 0;
    expect(server.placeOf(ticket!)).toBe(hears ? 2 : 0);
    server.touch(ticket!);
    await until(() => phone.engine.state.counts?.inside === 0);
    const shown = phone.corrections.map(({ verdict, reason, nextStep }) => [verdict, reason, nextStep?.code]);
    expect(shown).toEqual(hears ? [['out', null, undefined]] : [['ask', 'not_inside', 'let_out']]);
  });

  it('asks a person when the storage hangs, blocks no scan, and shows the entry when it is written', async () => {
    const network = await ModelNetwork.make(new ModelServer());
    const [ticket, other] = await network.sell(2);
    const phone = await phoneAt(network);
    phone.longestScan = 100;
    await phone.restart();
    await until(() => phone.engine.state.network.kind === 'live');
    const { db } = phone.engine.door;
    const write = db.write.bind(db);
    let release = (): void => {};
    const released = new Promise<void>((done) => {
      release = done;
    });
    db.write = async (...asked) => {
      await released;
      return write(...asked);
    };
    for (const { code } of [ticket!, other!])
      expect(await phone.engine.scan(code, 'camera')).toMatchObject({ verdict: 'ask', reason: 'failed', undoUntil: null });
    expect(phone.corrections).toEqual([]);
    release();
    await until(() => phone.corrections.length === 2);
    expect(phone.corrections.map(({ verdict }) => verdict)).toEqual(['go', 'go']);
    expect(network.server.inside).toBe(2);
  });

  it('repeats an attempt that could not be written under its id, so that nobody is refused for it', async () => {
    const network = await ModelNetwork.make(new ModelServer());
    const [ticket] = await network.sell(2);
    const phone = await phoneAt(network);
    const { journal } = phone.engine.door;
    const append = journal.append.bind(journal);
    journal.append = () => Promise.reject(new DOMException('The disk is full.', 'QuotaExceededError'));
    const silent = jest.spyOn(console, 'error').mockImplementation(() => {});
    expect(await phone.engine.scan(ticket!.code, 'camera')).toMatchObject({ verdict: 'ask', reason: 'failed' });
    silent.mockRestore();
    journal.append = append;
    expect(await phone.engine.scan(ticket!.code, 'camera')).toMatchObject({ verdict: 'go', decidedBy: 'server' });
    expect(network.server.movements).toHaveLength(1);
  });

  it('answers by the list when the server fails, and sends all lines but those that it fails over', async () => {
    const server = new ModelServer();
    const network = await ModelNetwork.make(server);
    const tickets = await network.sell(12);
    const phone = await phoneAt(network);
    phone.line.status = 500;
    for (const { code } of tickets) expect((await phone.engine.scan(code, 'camera')).verdict).toBe('go');
    server.poison = (text) => text.includes(tickets[5]!.code.slice(0, 24));
    phone.line.status = null;
    phone.engine.wake();
    await until(() => phone.engine.state.network.unsent === 1);
    expect(server.inside).toBe(11);
    server.poison = () => false;
    await until(() => phone.engine.state.network.unsent === 0);
    expect(server.inside).toBe(12);
  });

  it('stores no name, and destroys list and key before the journal goes to quarantine', async () => {
    const network = await ModelNetwork.make(new ModelServer());
    network.role = 'supervisor';
    const [ticket, other] = await network.sell(3);
    const phone = await phoneAt(network);
    const { engine } = phone;
    await engine.door.files.write('proof', 'sealed');
    await untilStored(phone, 'names');
    await phone.cutOff();
    expect(await engine.scan(ticket!.code, 'camera')).toMatchObject({ verdict: 'go', holder: { firstName: 'Ada' } });
    expect(await engine.search(other!.name[1])).toMatchObject([{ firstName: 'Ada', state: 'expected' }]);
    const stored = await dump(phone);
    for (const secret of [ticket!.name[1], other!.name[1], 'ada@example.org', ticket!.code, `gdev_${phone.device}`])
      expect(stored).not.toContain(secret);
    network.refusal = { status: 401, code: 'key.wiped' };
    phone.line.mode = 'up';
    await until(() => engine.state.phase === 'wiped' && network.quarantined.length === 1);
    expect(engine.door.pack).toBe(null);
    await until(() => engine.door.journal.entries.length === 0);
    expect(await engine.scan(ticket!.code, 'camera')).toMatchObject({ verdict: 'ask', reason: 'failed' });
  });

  it('stores no signature of a ticket, so that whoever copies all of it with its keys opens no name', async () => {
    const network = await ModelNetwork.make(new ModelServer());
    const tickets = await network.sell(4);
    const phone = await phoneAt(network);
    const { engine } = phone;
    // An attempt without an end, a line with it, and lines without a network, also of a refused code.
    network.hangs = (path) => ['/scan/ticket/', '/scan/batch/', '/scan/pack/'].includes(path);
    const [late] = await network.sell(1);
    for (const { code } of [tickets[0]!, late!]) await engine.scan(code, 'camera');
    await phone.cutOff();
    for (const { code } of [tickets[1]!, tickets[2]!, tickets[2]!, late!]) await engine.scan(code, 'camera');
    engine.turn('exit');
    await engine.scan(tickets[3]!.code, 'camera');
    const stored = await decrypted(phone);
    expect(stored).toContain(engine.door.journal.unsent[0]!.facts.scanId);
    expect(stored).toContain(tickets[0]!.code.split(':')[0]);
    expect(stored).toContain(tickets[0]!.sealed);
    for (const { code } of [...tickets, late!]) expect(stored).not.toContain(code.split(':')[1]);
    network.hangs = () => false;
    // An attempt without an end is repeated under its id after a kill.
    phone.line.mode = 'up';
    await phone.restart();
    await until(() => phone.engine.state.network.kind === 'live' && phone.engine.state.network.unsent === 0);
    expect(network.server.inside).toBe(3);
  });

  it('lets in ten tickets that are not in the list, and then asks a supervisor', async () => {
    const network = await ModelNetwork.make(new ModelServer());
    await network.sell(1);
    const phone = await phoneAt(network);
    await phone.cutOff();
    const late = await network.sell(11);
    for (const { code } of late.slice(0, 10)) {
      const { scanId, verdict, reason } = await phone.engine.scan(code, 'camera');
      expect([verdict, reason]).toEqual(['ask', 'not_in_list']);
      expect((await phone.engine.admit(scanId)).verdict).toBe('go');
    }
    const last = await phone.engine.scan(late[10]!.code, 'camera');
    expect(last).toMatchObject({ verdict: 'ask', reason: 'allowance_used' });
    await expect(phone.engine.admit(last.scanId)).rejects.toMatchObject({ code: 'allowance_used' });
    phone.line.mode = 'up';
    await until(() => phone.engine.state.network.unsent === 0);
    expect(network.server.inside).toBe(10);
  });

  it('asks anew about a code that the server refused before, also when nobody saw the refusal', async () => {
    const network = await ModelNetwork.make(new ModelServer());
    const [ticket] = await network.sell(2);
    const phone = await phoneAt(network);
    const scan = (direction: 'entry' | 'exit', code = ticket!.code) => {
      phone.engine.turn(direction);
      return phone.engine.scan(code, 'camera');
    };
    expect(await scan('exit')).toMatchObject({ verdict: 'ask', reason: 'not_inside' });
    expect(await scan('entry')).toMatchObject({ verdict: 'go' });
    expect(await scan('exit')).toMatchObject({ verdict: 'out', decidedBy: 'server' });
    phone.line.mode = 'lost';
    const [late] = await network.sell(1);
    late!.cancelled = true;
    expect(await scan('entry', late!.code)).toMatchObject({ verdict: 'ask', reason: 'not_in_list' });
    late!.cancelled = false;
    phone.line.mode = 'up';
    phone.engine.wake();
    await until(() => phone.engine.state.network.kind === 'live');
    expect(await scan('entry', late!.code)).toMatchObject({ verdict: 'go', decidedBy: 'server' });
    expect(network.server.inside).toBe(1);
  });

  it('practises with tickets of its own', async () => {
    const network = await ModelNetwork.make(new ModelServer());
    const phone = await phoneAt(network);
    const before = network.requests.filter((path) => path.endsWith('/scan/ticket/')).length;
    await phone.engine.practise(true);
    const scan = (kind: string) => phone.engine.scan(`GUICHET-PRACTICE:${kind}`, 'camera');
    expect(await scan('GO')).toMatchObject({ verdict: 'go', practice: true });
    expect(await scan('GO')).toMatchObject({ verdict: 'just' });
    expect(await scan('USED')).toMatchObject({ verdict: 'stop', reason: 'already_scanned' });
    expect(await scan('CANCELLED')).toMatchObject({ verdict: 'stop', reason: 'cancelled' });
    expect(await scan('OTHER-EVENT')).toMatchObject({ verdict: 'stop', reason: 'wrong_event' });
    const group = await scan('GROUP');
    expect(group.group).toEqual({ count: 5, inside: 1, expected: 4 });
    expect((await phone.engine.admitGroup(group.scanId, 3)).group).toEqual({ count: 5, inside: 4, expected: 1 });
    expect(phone.engine.state).toMatchObject({ network: { unsent: 0 }, counts: { inside: 0 } });
    expect(network.requests.filter((path) => path.endsWith('/scan/ticket/'))).toHaveLength(before);
  });
});
