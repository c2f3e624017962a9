import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DoorPhone, type SeenResult } from './door-phone.js';
import { openDoorPlace, type DoorPlace } from './door-places.js';
import { comeBack, dropDatabase, hide, stored, takeCamera, tricks } from './door-tricks.js';
import { until } from '../support/until.js';

/** Returns from the background, and cold starts. In full: 50 and 10, with the limits of a quiet machine. */
const rounds = Number(process.env['DOOR_RETURNS'] ?? 5);
const starts = Math.max(2, Math.ceil(rounds / 5));
const isFull = process.env['DOOR_RETURNS'] !== undefined;
const longest = isFull ? { start: 1_000, back: 1_500 } : { start: 10_000, back: 10_000 };

let door: DoorPlace;
let phone: DoorPhone;

beforeAll(async () => {
  door = await openDoorPlace();
  phone = await door.phone('Door 1');
  await stored(phone.page);
});
afterAll(() => door?.close());

const say = (text: string): void => void process.stderr.write(`door: ${text}\n`);

function spread(values: readonly number[]): string {
  const sorted = values.toSorted((one, other) => one - other).map(Math.round);
  return `${sorted.length} times, p50 ${sorted[Math.floor(sorted.length / 2)]} ms, slowest ${sorted.at(-1)} ms`;
}

/** A new page of the same phone. @param slower how many times slower its processor is */
async function restart(slower: number): Promise<void> {
  const context = phone.page.context();
  await phone.page.close();
  phone = await DoorPhone.open(context, door.camera);
  for (const trick of [tricks.live, tricks.pictures, tricks.connections]) await phone.page.addInitScript(trick);
  if (slower > 1) await (await phone.devtools()).send('Emulation.setCPUThrottlingRate', { rate: slower });
  await phone.page.goto(`${door.origin}/door/`);
  await phone.live();
}

it('starts without a network to the live camera, with a slow processor', async () => {
  door.proxy.set('refuse');
  let slowest = 0;
  for (const slower of [1, 6]) {
    const [live, decoding]: [number[], number[]] = [[], []];
    for (let start = 0; start < (slower === 1 ? 1 : starts); start += 1) {
      await restart(slower);
      const moment = (name: string): Promise<number | null> => phone.page.evaluate<number | null>(`window.${name} ?? null`);
      live.push((await moment('liveAt')) as number);
      decoding.push(
        (await until(
          () => moment('firstReading'),
          (at) => at !== null,
        )) as number,
      );
    }
    say(`cold start without a network, processor x${slower}: live camera ${spread(live)}; first picture decoded ${spread(decoding)}`);
    slowest = Math.max(slowest, ...live);
  }
  door.proxy.set('pass');
  expect(slowest).toBeLessThan(longest.start);
}, 240_000);

it('lets in by its list while the files that load later are missing, and sends the lines once they are there', async () => {
  const ticket = await door.ticket();
  const { expected } = (await door.api.status(door.event.id).expect(200)).body as { expected: number };
  await restart(1);
  await phone.page.locator(`.counts[data-expected="${expected}"]`).waitFor();
  const drop = `caches.keys().then((names) => Promise.all(names.map(async (name) => {
    const cache = await caches.open(name);
    const later = (await cache.keys()).filter(({ url }) => /\\/(?:background|later)\\./.test(url));
    return (await Promise.all(later.map((file) => cache.delete(file)))).filter(Boolean).length;
  })))`;
  expect(await phone.page.evaluate<number[]>(drop)).toEqual([3]);
  await (await phone.devtools()).send('Network.clearBrowserCache');
  door.proxy.set('refuse');
  await restart(1);
  expect(await phone.show(ticket.code)).toMatchObject({ verdict: 'go', decidedBy: 'list' });
  await phone.press('settings');
  expect(await phone.page.locator('dialog, link[href*="/later."]').count()).toBe(0);
  door.proxy.set('pass');
  await restart(1);
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
    await restart(1);
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
