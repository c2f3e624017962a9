import { DeviceCareService, GatesService } from '#scan';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ms, printNumber } from '../support/door/numbers.js';
import { until } from '../support/until.js';
import type { DoorPhone } from '../browser/door-phone.js';
import { openDoorPlace, type DoorPlace } from '../browser/door-places.js';
import { passTime } from '../browser/door-tricks.js';

let door: DoorPlace;
let phone: DoorPhone;
let supervisor: DoorPhone;

beforeAll(async () => {
  door = await openDoorPlace();
  phone = await door.phone('Door 1');
  supervisor = await door.phone('Door 2', door.gates.main, 'supervisor');
});
afterAll(() => door?.close());

const undone = async (ticketId: string): Promise<{ action: string }[]> =>
  (await door.api.log(ticketId)).filter(({ action }) => action === 'undo');

describe('10: a refusal says why, since when, at which gate, and one next step', () => {
  /** The parts of the refusal on the screen. */
  async function refusal(): Promise<{ why: string; detail: string; steps: string[] }> {
    const card = phone.page.locator('section.result');
    const part = async (name: string): Promise<string> => (await card.locator(name).allInnerTexts()).join(' ');
    return { why: await part('.why'), detail: await part('.detail'), steps: await card.locator('.step').allInnerTexts() };
  }

  it.each<[string, RegExp | null, () => Promise<{ code: string }>]>([
    [
      'already_scanned',
      /\d\d:\d\d · Balcony · Door 9/,
      async () => {
        const ticket = await door.ticket();
        await door.api.scan({ qrcode_data: ticket.code, gate: door.gates.balcony }).expect(200);
        return ticket;
      },
    ],
    [
      'no_reentry',
      /\d\d:\d\d · Balcony/,
      async () => {
        const ticket = await door.ticket();
        for (const direction of ['entry', 'exit'])
          await door.api.scan({ qrcode_data: ticket.code, gate: door.gates.balcony, direction }).expect(200);
        return ticket;
      },
    ],
    ['cancelled', null, () => door.ticket({ status: 'R' })],
    ['not_paid', null, () => door.ticket({ status: 'N', reservationStatus: 'U' })],
    ['wrong_event', /Matinee · .*\d\d:\d\d/, async () => door.ticket({ event: await door.newEvent({ name: 'Matinee' }) })],
    [
      'wrong_gate',
      null,
      async () => {
        const upstairs = await door.newEvent({ name: 'Upstairs' });
        await door.test.inside(door.tenant, () =>
          door.test.app.get(GatesService).allow({ gateId: door.gates.main, priceId: door.event.priceId }),
        );
        return door.ticket({ event: { id: door.event.id, priceId: upstairs.priceId } });
      },
    ],
  ])('%s', async (reason, detail, make) => {
    expect(await phone.scan((await make()).code)).toMatchObject({ verdict: 'stop', reason });
    const said = await refusal();
    expect(said.why).not.toBe('');
    expect(said.steps).toHaveLength(1);
    expect(said.steps[0]).toMatch(/\p{L}{3}/u);
    if (detail) expect(said.detail).toMatch(detail);
    if (reason === 'wrong_gate') expect(said.steps[0]).toContain('Balcony');
    // No refusal leaves the screen before somebody read it.
    await phone.dismiss();
  });

  it('also without a network, by the list', async () => {
    const ticket = await door.ticket();
    await door.api.scan({ qrcode_data: ticket.code, gate: door.gates.balcony }).expect(200);
    await phone.hasCountsOf((await door.api.status(door.event.id).expect(200)).body);
    door.proxy.set('refuse');
    const seen = await phone.scan(ticket.code);
    expect(seen).toMatchObject({ verdict: 'stop', reason: 'already_scanned', decidedBy: 'list' });
    const { detail, steps } = await refusal();
    expect(detail).toMatch(/\d\d:\d\d · Balcony · Door 9/);
    expect(steps).toHaveLength(1);
    door.proxy.set('pass');
    await phone.network('live', 0);
    await phone.dismiss();
  });
});

describe('16: entry, exit and undo', () => {
  /** People inside by the sheet of the gates: through each gate. */
  async function insideByGate(one: DoorPhone, main: number, balcony: number): Promise<void> {
    await one.press('gates');
    for (const [gate, count] of [
      [door.gates.main, main],
      [door.gates.balcony, balcony],
    ] as const)
      await one.page
        .locator(`[data-sheet="gates"] [data-gate="${gate}"]`, { hasText: new RegExp(`\\D${count} (person|people) inside`) })
        .waitFor();
    await one.press('close-sheet');
  }

  it('counts people with one switch, per gate and in all, on every phone', async () => {
    const { inside, gates } = (await door.api.status(door.event.id).expect(200)).body as {
      inside: number;
      gates: { uuid: string; inside: number }[];
    };
    const at = (id: string): number => gates.find(({ uuid }) => uuid === id)?.inside ?? 0;
    const [main, balcony] = [at(door.gates.main), at(door.gates.balcony)];
    const party = await door.tickets(3);
    const [first] = party as [(typeof party)[0]];
    expect((await phone.scan(first.code)).verdict).toBe('go');
    await phone.press('admit-group');
    await phone.inside(inside + 3);
    await phone.dismiss();
    const alone = await door.ticket();
    await door.api.scan({ qrcode_data: alone.code, gate: door.gates.balcony }).expect(200);
    await phone.inside(inside + 4);
    await insideByGate(phone, main + 3, balcony + 1);
    await phone.press('exit');
    expect((await phone.scan(first.code)).verdict).toBe('out');
    await phone.dismiss();
    await phone.press('entry');
    for (const one of [phone, supervisor]) {
      await one.inside(inside + 3);
      await insideByGate(one, main + 2, balcony + 1);
    }
  });

  it('takes back with one tap for ten seconds; later only supervisors do, with a reason', async () => {
    const [atOnce, later, kept] = await Promise.all([door.ticket(), door.ticket(), door.ticket()]);
    expect((await supervisor.scan(atOnce.code)).verdict).toBe('go');
    await supervisor.press('undo');
    await until(
      () => undone(atOnce.id),
      (entries) => entries.length === 1,
    );
    expect((await supervisor.scan(later.code)).verdict).toBe('go');
    await supervisor.dismiss();
    expect((await phone.scan(kept.code)).verdict).toBe('go');
    await phone.dismiss();
    expect(await phone.page.locator('[data-action="undo"]').count()).toBe(1);
    for (const one of [phone, supervisor]) {
      await passTime(one.page, 11_000);
      await one.page.locator('[data-action="undo"]').waitFor({ state: 'detached' });
    }
    expect(await phone.page.locator('[data-action="undo-later"]').count()).toBe(0);
    await supervisor.press('undo-later');
    await supervisor.press('undo-with-reason');
    // A reason is needed.
    expect(await undone(later.id)).toEqual([]);
    await supervisor.page.keyboard.type('wrong person');
    await supervisor.press('undo-with-reason');
    await until(
      () => undone(later.id),
      (entries) => entries.length === 1,
    );
    expect(await door.movements(kept)).toEqual(['accepted']);
    expect(await undone(kept.id)).toEqual([]);
    const again = (await door.api.check({ qrcode_data: later.code }).expect(200)).body as { may_enter: boolean };
    expect(again.may_enter).toBe(true);
    expect(supervisor.faults).toEqual([]);
  });

  it.each([
    ['already_scanned', ['entry'], 'go'],
    ['no_reentry', ['entry', 'exit'], 'stop'],
  ] as const)('takes back what another device did, for a supervisor who sees: %s', async (reason, directions, after) => {
    const ticket = await door.ticket();
    for (const direction of directions) await door.api.scan({ qrcode_data: ticket.code, gate: door.gates.main, direction }).expect(200);
    expect(await phone.scan(ticket.code)).toMatchObject({ verdict: 'stop', reason });
    expect(await phone.page.locator('[data-action="undo-later"]').count()).toBe(0);
    await phone.dismiss();
    expect(await supervisor.scan(ticket.code)).toMatchObject({ verdict: 'stop', reason });
    await supervisor.press('undo-later');
    await supervisor.page.keyboard.type('wrong person');
    await supervisor.press('undo-with-reason');
    await until(
      () => undone(ticket.id),
      (entries) => entries.length === 1,
    );
    await supervisor.page.locator('section.result').waitFor({ state: 'detached' });
    // Who had left is inside again.
    expect((await supervisor.scan(ticket.code)).verdict).toBe(after);
    await supervisor.dismiss();
  });
});

describe('at a phone that only scans', () => {
  it('the others of a group come in later with the same code, also at another phone', async () => {
    const party = await door.tickets(5);
    const { code } = party[0]!;
    const group = (one: DoorPhone, inside: number) =>
      one.page.locator(`section.result [data-group-count="5"][data-group-inside="${inside}"]`).waitFor();
    expect((await phone.scan(code)).verdict).toBe('go');
    await phone.dismiss();
    expect(await supervisor.scan(code)).toMatchObject({ verdict: 'ask', reason: 'already_scanned' });
    expect(await supervisor.page.locator('section.result [data-action="admit"]').count()).toBe(0);
    for (let fewer = 0; fewer < 2; fewer += 1) await supervisor.press('fewer');
    await supervisor.press('admit-group');
    await group(supervisor, 3);
    await supervisor.dismiss();
    // An answer of the server that arrives after the change of the clocks would set the phone's time right.
    await phone.hasCountsOf((await door.api.status(door.event.id).expect(200)).body);
    await passTime(phone.page, 25_000);
    expect(await phone.scan(code)).toMatchObject({ verdict: 'ask', reason: 'already_scanned' });
    await phone.press('admit-group');
    await group(phone, 5);
    await phone.dismiss();
    expect((await Promise.all(party.map((ticket) => door.movements(ticket)))).flat()).toEqual(Array.from({ length: 5 }, () => 'accepted'));
    expect(await phone.scan(code)).toMatchObject({ verdict: 'just' });
    expect(await phone.page.locator('[data-action="admit-group"]').count()).toBe(0);
    await phone.dismiss();
  });

  it('a typed reference decides like the code, and needs a network', async () => {
    const [ticket, other] = [await door.ticket(), await door.ticket()];
    const type = async (reference: string) => {
      await phone.dismiss();
      await phone.forget();
      await phone.press('search');
      await phone.page.locator('#words').fill(reference);
      await phone.press('submit-search');
      return phone.next();
    };
    const printed = ({ reservationId }: { reservationId: string }): string => reservationId.slice(0, 8).toUpperCase();
    const seen = await type(printed(ticket));
    expect(seen).toMatchObject({ verdict: 'go', decidedBy: 'server' });
    expect(seen.text).toContain('Martin');
    expect(await door.movements(ticket)).toEqual(['accepted']);
    expect(await type('0000 0000')).toMatchObject({ verdict: 'stop', reason: 'unknown' });
    door.proxy.set('refuse');
    const asked = await type(printed(other));
    expect(asked).toMatchObject({ verdict: 'ask', reason: 'failed' });
    expect(asked.text).toContain('Get a network');
    door.proxy.set('pass');
    // The open card asks the server again as soon as the phone is connected.
    expect(await phone.next(({ verdict }) => verdict !== 'ask')).toMatchObject({ verdict: 'go', decidedBy: 'server' });
    for (const one of [phone, supervisor]) await one.network('live', 0);
    await phone.dismiss();
  });
});

describe('17: the end of a right', () => {
  it('a wiped phone with a network lets nobody in any more', async () => {
    const ticket = await door.ticket();
    const [device] = await door.test.database.query<{ id: string }>(
      `select id from "${door.tenant.schemaName}".scanning_device where name = 'Door 2'`,
    );
    await door.test.inside(door.tenant, () => door.test.app.get(DeviceCareService).wipe(device!.id));
    // Any request is a contact.
    const contact = Date.now();
    await supervisor.page.evaluate('dispatchEvent(new Event("online"))');
    await supervisor.screen('wiped');
    const took = Date.now() - contact;
    printNumber(17, 'contact of a wiped phone, until its data is destroyed, aim 5 s', ms(took));
    expect(took).toBeLessThan(10_000);
    expect(await door.movements(ticket)).toEqual([]);
  });

  it('the list ends six hours after the event, also when the phone hears nobody', async () => {
    const ticket = await door.ticket();
    await phone.hasCountsOf((await door.api.status(door.event.id).expect(200)).body);
    door.proxy.set('refuse');
    expect(await phone.scan(ticket.code)).toMatchObject({ verdict: 'go', decidedBy: 'list' });
    await phone.network('offline', 1);
    await passTime(phone.page, 48 * 3_600_000);
    await phone.screen('choosing');
    const stored = await phone.page.evaluate<string[]>(`(async () => {
      const [{ name }] = await indexedDB.databases();
      const db = await new Promise((ok) => { const asked = indexedDB.open(name); asked.onsuccess = () => ok(asked.result); });
      const keys = await new Promise((ok) => { const asked = db.transaction('files').objectStore('files').getAllKeys();
        asked.onsuccess = () => ok(asked.result); });
      const deltas = await new Promise((ok) => { const asked = db.transaction('deltas').objectStore('deltas').count();
        asked.onsuccess = () => ok(asked.result); });
      db.close();
      return [...keys, ...Array(deltas).fill('delta')];
    })()`);
    expect(stored).toContain('credentials');
    expect(stored.filter((name) => ['pack', 'names', 'delta'].includes(name))).toEqual([]);
    door.proxy.set('pass');
    // Its journal is still sent.
    await until(
      () => door.movements(ticket),
      (moves) => moves.length > 0,
    );
    expect(phone.faults).toEqual([]);
  });
});
