import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { deploy, makeNextBuild } from '../support/door/next-build.js';
import { until } from '../support/until.js';
import { DoorPhone } from '../browser/door-phone.js';
import { openDoorPlace, type DoorPlace } from '../browser/door-places.js';
import { comeBack, hide, stored } from '../browser/door-tricks.js';

const versions = ['aaaaaaaaaaaa', 'bbbbbbbbbbbb'] as const;
let folder: string;
let door: DoorPlace;
let context: BrowserContext;
let phone: DoorPhone;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guichet-builds-'));
  await makeNextBuild('dist/door', join(folder, versions[0]), versions[0]);
  await makeNextBuild(join(folder, versions[0]), join(folder, versions[1]), versions[1]);
  door = await openDoorPlace();
  context = await door.context();
});
afterAll(async () => {
  await door?.close();
  await rm(folder, { recursive: true, force: true });
});

/** The version that runs, as the menu says. */
async function version(): Promise<string> {
  await phone.press('settings');
  const text = await phone.page.locator('dialog .small').innerText();
  await phone.press('close-sheet');
  return /\b\w{12}\b/.exec(text)?.[0] ?? text;
}

/** Waits until the phone has stored another build, which it hears of at the next contact. */
async function storedNext(): Promise<void> {
  await hide(phone.page);
  await comeBack(phone.page);
  const waits = `navigator.serviceWorker.getRegistration('/door/').then((one) => one.waiting !== null)`;
  await until(
    () => phone.page.evaluate<boolean>(waits),
    (waiting) => waiting,
  );
}

it('starts a new version when the app is opened again, and never under an open door', async () => {
  const [first, second, third] = [await door.ticket(), await door.ticket(), await door.ticket()];
  phone = await DoorPhone.open(context, door.camera);
  await phone.pair(await door.pairingLink());
  await phone.choose(door.event.id, door.gates.main);
  await phone.network('live', 0);
  await stored(phone.page);
  const before = await version();
  const files = await phone.page.evaluate<string[]>(
    `[...document.querySelectorAll('script, link[rel=stylesheet], link[rel=modulepreload]')].map((one) => one.src || one.href)`,
  );

  deploy(door.test, join(folder, versions[0]));
  await phone.page.evaluate('window.sameForever = true');
  await storedNext();
  await phone.live();
  // Nobody at the door reads about versions; the menu says it, and has no button while the door is open.
  expect(await phone.page.locator('[data-update]').count()).toBe(0);
  await phone.press('settings');
  await phone.page.locator('[data-update="waiting"]').waitFor();
  expect(await phone.page.locator('[data-action="restart"]').count()).toBe(0);
  await phone.press('close-sheet');
  expect((await phone.show(first.code)).verdict).toBe('go');
  door.proxy.set('refuse');
  expect(await phone.show(second.code)).toMatchObject({ verdict: 'go', decidedBy: 'list' });
  await phone.network('offline', 1);
  expect(await phone.page.evaluate('window.sameForever')).toBe(true);
  expect(await version()).toBe(before);
  // What the page was loaded from is still there, although the phone does not need it.
  for (const file of files) await door.test.on(door.tenant).get(new URL(file).pathname).expect(200);
  expect(phone.faults).toEqual([]);
  await phone.page.close();

  // Without a network, from what the phone stored under the old page.
  phone = await DoorPhone.open(context, door.camera);
  await phone.page.goto(`${door.origin}/door/`);
  await phone.live();
  expect(await version()).toBe(versions[0]);
  await phone.network('offline', 1);
  expect((await phone.show(second.code)).verdict).not.toBe('go');
  await phone.dismiss();
  expect(await phone.show(third.code)).toMatchObject({ verdict: 'go', decidedBy: 'list' });
  door.proxy.set('pass');
  await phone.network('live', 0);
  for (const ticket of [first, second, third]) expect(await door.movements(ticket)).toEqual(['accepted']);
}, 120_000);

it('starts a new version on a tap once the door is closed', async () => {
  deploy(door.test, join(folder, versions[1]));
  await storedNext();
  await phone.press('settings');
  await phone.press('leave-event');
  await phone.screen('choosing');
  await phone.page.locator('[data-update="ready"]').waitFor();
  await phone.press('restart');
  await until(version, (now) => now === versions[1]);
  await phone.screen('choosing');
  expect(phone.faults).toEqual([]);
}, 60_000);
