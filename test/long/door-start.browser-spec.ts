import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { DoorPhone } from '../browser/door-phone.js';
import { openDoorPlace, type DoorPlace } from '../browser/door-places.js';
import { longest, restarted, rounds, say, spread } from '../browser/door-returns.js';
import { stored } from '../browser/door-tricks.js';
import { until } from '../support/until.js';

/** Cold starts with a slow processor. */
const starts = Math.max(2, Math.ceil(rounds / 5));

let door: DoorPlace;
let phone: DoorPhone;

beforeAll(async () => {
  door = await openDoorPlace();
  phone = await door.phone('Door 1');
  await stored(phone.page);
});
afterAll(() => door?.close());

it('starts without a network to the live camera, with a slow processor', async () => {
  door.proxy.set('refuse');
  let slowest = 0;
  for (const slower of [1, 6]) {
    const [live, decoding]: [number[], number[]] = [[], []];
    for (let start = 0; start < (slower === 1 ? 1 : starts); start += 1) {
      phone = await restarted(door, phone, slower);
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
