import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DoorPhone } from './door-phone.js';
import { openDoorPlace, type DoorPlace } from './door-places.js';

let door: DoorPlace;
let phone: DoorPhone;

beforeAll(async () => {
  door = await openDoorPlace({ reentry: true });
  phone = await door.phone('Door 1');
});
afterAll(() => door?.close());

describe('the scanner app at the camera', () => {
  it('lets a ticket in once; held or shown again it is no alarm', async () => {
    const ticket = await door.ticket();
    const first = await phone.show(ticket.code);
    expect(first).toMatchObject({ verdict: 'go', reason: '', decidedBy: 'server' });
    expect(first.text).toContain('Zephyrine Martin');
    await phone.inside(1);
    // Out of view for longer than a code that is held.
    await phone.page.waitForTimeout(1_700);
    const again = await phone.show(ticket.code);
    expect(again).toMatchObject({ verdict: 'just', reason: '' });
    expect(again.text).toMatch(/\d+ s/);
    expect(await door.movements(ticket)).toEqual(['accepted']);
    await phone.inside(1);
  });

  it('refuses a ticket of another event, which it names', async () => {
    const seen = await phone.show((await door.ticket({ event: await door.newEvent({ name: 'Matinee' }) })).code);
    expect(seen).toMatchObject({ verdict: 'stop', reason: 'wrong_event' });
    expect(seen.text).toContain('Matinee');
  });

  it('refuses codes that are none of this place, and reads on', async () => {
    for (const text of ['https://example.org/', 'x'.repeat(111), `${'A'.repeat(24)}:${'B'.repeat(86)}`]) {
      expect([(await phone.show(text)).verdict, text]).toEqual(['stop', text]);
    }
    expect((await phone.show((await door.ticket()).code)).verdict).toBe('go');
  });

  it('lets out and in again with one switch', async () => {
    const ticket = await door.ticket();
    expect((await phone.show(ticket.code)).verdict).toBe('go');
    await phone.dismiss();
    await phone.press('exit');
    await phone.page.waitForTimeout(1_600);
    expect((await phone.show(ticket.code)).verdict).toBe('out');
    await phone.dismiss();
    await phone.press('entry');
    await phone.page.waitForTimeout(1_600);
    expect((await phone.show(ticket.code)).verdict).toBe('go');
    await phone.dismiss();
    expect(await door.movements(ticket)).toEqual(['accepted', 'left', 'readmitted']);
  });

  it('lets three of five in, and the others later', async () => {
    const party = await door.tickets(5);
    const [first] = party as [(typeof party)[0]];
    expect((await phone.show(first.code)).verdict).toBe('go');
    const group = (inside: number) => phone.page.locator(`[data-group-count="5"][data-group-inside="${inside}"]`).waitFor();
    await group(1);
    await phone.press('fewer');
    await phone.press('fewer');
    await phone.press('admit-group');
    await group(3);
    await phone.press('admit-group');
    await group(5);
    await phone.dismiss();
    expect((await Promise.all(party.map((ticket) => door.movements(ticket)))).flat()).toEqual(Array.from({ length: 5 }, () => 'accepted'));
    await phone.forget();
  });

  it('reports no error in the console', () => {
    expect(phone.faults).toEqual([]);
  });
});
