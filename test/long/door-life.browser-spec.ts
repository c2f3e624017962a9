import type { BrowserContext } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { DoorPhone } from '../browser/door-phone.js';
import { openDoorPlace, type DoorPlace } from '../browser/door-places.js';
import { tricks } from '../browser/door-tricks.js';
import { until } from '../support/until.js';

let door: DoorPlace;
const contexts: BrowserContext[] = [];

beforeAll(async () => {
  door = await openDoorPlace();
});
afterAll(() => door?.close());
// All phones see the same camera.
afterEach(async () => {
  await door.camera.clear();
  for (const context of contexts.splice(0)) await context.close();
});

const say = (text: string): void => void process.stderr.write(`door: ${text}\n`);

async function newPhone(...scripts: string[]): Promise<DoorPhone> {
  const context = await door.context();
  contexts.push(context);
  const phone = await DoorPhone.open(context, door.camera);
  for (const script of scripts) await phone.page.addInitScript(script);
  return phone;
}

/** Opens a door: pairs, chooses the event and the gate. */
async function open(phone: DoorPhone): Promise<DoorPhone> {
  await phone.pair(await door.pairingLink());
  await phone.choose(door.event.id, door.gates.main);
  await phone.network('live', 0);
  return phone;
}

describe('a phone at the door', () => {
  it('decodes at most 15 pictures a second, rests after a minute, and wakes by a tap or a keyboard scan', async () => {
    const phone = await newPhone(tricks.pictures);
    // Only this spec moves the time of the page.
    await phone.page.clock.install();
    await open(phone);
    const pictures = (): Promise<number[]> => phone.page.evaluate<number[]>('window.pictures');
    const some = await until(pictures, (all) => all.length > 45);
    const within = some.map((at) => some.filter((one) => one >= at && one < at + 1000).length);
    say(`at most ${Math.max(...within)} pictures decoded within a second`);
    expect(Math.max(...within)).toBeLessThanOrEqual(16);
    const rests = async (): Promise<void> => {
      await phone.page.clock.fastForward(61_000);
      await phone.page.locator('[data-camera="resting"]').waitFor();
      expect(await phone.page.evaluate(`document.querySelector('video').srcObject`)).toBeNull();
    };
    await rests();
    const asleep = (await pictures()).length;
    await phone.page.waitForTimeout(500);
    expect((await pictures()).length).toBe(asleep);
    await phone.press('wake');
    await phone.live();
    await rests();
    const ticket = await door.ticket();
    // What keyboard scanners type is proven elsewhere, without a clock that jumps.
    await phone.scanByKeys(ticket.code);
    await phone.live();
  }, 90_000);

  it('that is full says so, and is never green', async () => {
    const phone = await open(await newPhone(tricks.full));
    const [ticket, later] = [await door.ticket(), await door.ticket()];
    await until(
      () => phone.page.evaluate<number>(`Number(document.querySelector('.counts').dataset.expected)`),
      (count) => count > 1,
    );
    await phone.page.evaluate('window.isFull = true');
    const seen = await phone.show(ticket.code);
    expect(seen).toMatchObject({ verdict: 'ask', reason: 'failed' });
    expect(seen.text).toContain('This phone is full');
    expect(await phone.page.locator('[data-action="admit"]').count()).toBe(0);
    await phone.dismiss();
    await phone.page.evaluate('window.isFull = false');
    // The console names the full storage once for the scan.
    expect(phone.faults.filter((fault) => !fault.includes('QuotaExceededError'))).toEqual([]);
    expect((await phone.show(later.code)).verdict).toBe('go');
    await phone.dismiss();
    await phone.page.waitForTimeout(1_600);
    expect((await phone.show(ticket.code)).verdict).toBe('go');
    for (const one of [ticket, later]) expect(await door.movements(one)).toEqual(['accepted']);
  }, 60_000);
});
