import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GatesService } from '#scan';
import { until } from '../support/until.js';
import type { DoorPhone } from '../browser/door-phone.js';
import { openDoorPlace, type DoorPlace } from '../browser/door-places.js';
import { passTime } from '../browser/door-tricks.js';
import { eventually } from '../support/eventually.js';

let door: DoorPlace;
let phone: DoorPhone;

beforeAll(async () => {
  door = await openDoorPlace({ reentry: true });
  phone = await door.phone('Door 1');
});
afterAll(() => door?.close());

describe('the scanner app at the camera', () => {
  it('counts a code that stays in view once', async () => {
    const ticket = await door.ticket();
    await door.camera.show(ticket.code);
    expect((await phone.next()).verdict).toBe('go');
    // Half a minute passes, with pictures all the time; then none for a moment.
    for (let step = 0; step < 40; step += 1) {
      await passTime(phone.page, 700);
      await phone.page.waitForTimeout(90);
    }
    await door.camera.clear();
    await phone.page.waitForTimeout(1_700);
    await phone.forget();
    await door.camera.show(ticket.code);
    expect((await phone.next()).verdict).toBe('just');
    await door.camera.clear();
    expect((await phone.results()).filter(({ verdict }) => verdict === 'stop')).toEqual([]);
    expect(await door.movements(ticket)).toEqual(['accepted']);
    await phone.forget();
  });

  it('refuses a ticket that came in elsewhere, with gate, device and time', async () => {
    const ticket = await door.ticket();
    await door.api.scan({ qrcode_data: ticket.code, gate: door.gates.balcony }).expect(200);
    const seen = await phone.show(ticket.code);
    expect(seen).toMatchObject({ verdict: 'stop', reason: 'already_scanned' });
    expect(seen.text).toContain('Balcony');
    expect(seen.text).toContain('Door 9');
    expect(seen.text).toMatch(/\d\d:\d\d/);
    expect(await door.movements(ticket)).toEqual(['accepted']);
  });

  it.each([
    ['cancelled', async () => door.ticket({ status: 'R' })],
    ['not_paid', async () => door.ticket({ status: 'N', reservationStatus: 'U' })],
    ['wrong_event', async () => door.ticket({ event: await door.newEvent({ name: 'Matinee' }) })],
  ])('refuses: %s', async (reason, make) => {
    const seen = await phone.show((await make()).code);
    expect(seen).toMatchObject({ verdict: 'stop', reason });
    if (reason === 'wrong_event') expect(seen.text).toContain('Matinee');
  });

  it('names the gates that a ticket may pass', async () => {
    await door.test.inside(door.tenant, () =>
      door.test.app.get(GatesService).allow({ gateId: door.gates.main, priceId: door.event.priceId }),
    );
    const upstairs = await door.newEvent({ name: 'Upstairs' });
    const ticket = await door.ticket({ event: { id: door.event.id, priceId: upstairs.priceId } });
    const seen = await phone.show(ticket.code);
    expect(seen).toMatchObject({ verdict: 'stop', reason: 'wrong_gate' });
    expect(seen.text).toContain('Balcony');
    expect(await door.movements(ticket)).toEqual([]);
  });

  it('takes an entry back with one tap', async () => {
    const ticket = await door.ticket();
    expect((await phone.show(ticket.code)).verdict).toBe('go');
    await phone.press('undo');
    const free = async (): Promise<boolean> => (await door.api.check({ qrcode_data: ticket.code }).expect(200)).body.may_enter === true;
    await until(free, (may) => may);
    await phone.page.waitForTimeout(1_600);
    expect((await phone.show(ticket.code)).verdict).toBe('go');
    await phone.dismiss();
  });

  it('knows a cancellation on every connected phone within seconds, also when the network fails right after', async () => {
    const ticket = await door.ticket();
    // The list has the ticket once the counts have it.
    const expected = (): Promise<number> => phone.page.evaluate<number>(`Number(document.querySelector('.counts').dataset.expected)`);
    const status = async (): Promise<number> => (await door.api.status(door.event.id).expect(200)).body.expected;
    const all = await status();
    await until(expected, (count) => count === all);
    await door.cancel(ticket);
    await until(expected, (count) => count === all - 1, 5_000);
    door.proxy.set('refuse');
    const seen = await phone.show(ticket.code);
    expect(seen).toMatchObject({ verdict: 'stop', reason: 'cancelled', decidedBy: 'list' });
    door.proxy.set('pass');
    await phone.network('live', 0);
  });

  it('reads 20 codes in 30 seconds without a tap', async () => {
    const tickets = await door
      .tickets(1)
      .then(async (first) => [...first, ...(await Promise.all(Array.from({ length: 19 }, () => door.ticket())))]);
    await phone.forget();
    const began = Date.now();
    for (const { code } of tickets) {
      await door.camera.show(code);
      expect(await phone.next()).toMatchObject({ verdict: 'go' });
      await door.camera.clear();
    }
    expect(Date.now() - began).toBeLessThan(30_000);
    // Of a scan that the list decided, the server hears a moment later.
    for (const ticket of tickets) await eventually(async () => expect(await door.movements(ticket)).toEqual(['accepted']));
  });

  it('reports no error in the console', () => {
    expect(phone.faults).toEqual([]);
  });
});
