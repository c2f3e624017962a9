import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { DoorPhone, SeenResult } from './door-phone.js';
import { openDoorPlace, type DoorPlace } from './door-places.js';
import { longest, restarted, rounds, say, spread } from './door-returns.js';
import { comeBack, dropDatabase, hide, stored, takeCamera } from './door-tricks.js';

let door: DoorPlace;
let phone: DoorPhone;

beforeAll(async () => {
  door = await openDoorPlace();
  phone = await door.phone('Door 1');
  await stored(phone.page);
});
afterAll(() => door?.close());

it('lets in by its list while the files that load later are missing, and sends the lines once they are there', async () => {
  const ticket = await door.ticket();
  const { expected } = (await door.api.status(door.event.id).expect(200)).body as { expected: number };
  phone = await restarted(door, phone);
  await phone.page.locator(`.counts[data-expected="${expected}"]`).waitFor();
  const drop = `caches.keys().then((names) => Promise.all(names.map(async (name) => {
    const cache = await caches.open(name);
    const later = (await cache.keys()).filter(({ url }) => /\\/(?:background|later)\\./.test(url));
    return (await Promise.all(later.map((file) => cache.delete(file)))).filter(Boolean).length;
  })))`;
  expect(await phone.page.evaluate<number[]>(drop)).toEqual([3]);
  await (await phone.devtools()).send('Network.clearBrowserCache');
  door.proxy.set('refuse');
  phone = await restarted(door, phone);
  expect(await phone.show(ticket.code)).toMatchObject({ verdict: 'go', decidedBy: 'list' });
  await phone.press('settings');
  expect(await phone.page.locator('dialog, link[href*="/later."]').count()).toBe(0);
  door.proxy.set('pass');
  phone = await restarted(door, phone);
  await phone.network('live', 0);
  expect(phone.faults).toEqual([]);
}, 90_000);

it(
  `decodes soon after it comes back, ${rounds} times in a row`,
  async () => {
    const kinds = [
      'hidden',
      'hidden, and the database is dropped',
      'the camera is taken',
      'hidden, and the database says that it closes',
    ] as const;
    const took: number[] = [];
    phone = await restarted(door, phone);
    await phone.network('live', 0);
    for (let round = 0; round < rounds; round += 1) {
      const kind = kinds[round % kinds.length];
      const { page } = phone;
      const ticket = await door.ticket();
      await phone.dismiss();
      await phone.forget();
      const isHidden = kind !== 'the camera is taken';
      if (isHidden) {
        await hide(page);
        await page.locator('[data-camera="off"]').waitFor();
      }
      if (kind?.includes('database')) await dropDatabase(page, kind.endsWith('closes'));
      if (isHidden) await door.camera.show(ticket.code);
      const at = isHidden ? await comeBack(page) : await takeCamera(page);
      // A camera that was on would have seen the code before it was taken.
      if (!isHidden) await door.camera.show(ticket.code);
      const seen: SeenResult = await phone.next();
      expect([seen, `round ${round}: ${kind}`]).toMatchObject([{ verdict: 'go' }, `round ${round}: ${kind}`]);
      took.push(seen.at - at);
      await door.camera.clear();
    }
    say(`from the background to a painted verdict: ${spread(took)}`);
    expect(Math.max(...took)).toBeLessThan(longest.back);
    expect(phone.faults).toEqual([]);
  },
  30_000 + rounds * 10_000,
);
