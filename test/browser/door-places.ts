import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NewEvent } from '#catalogue';
import type { DeviceRole } from '#scan';
import type { BrowserContext } from 'playwright-core';
import { openDoorVenue, type DoorVenue } from '../support/door/door-venue.js';
import { FakeCamera } from '../support/door/fake-camera.js';
import { openChromium } from './chromium.js';
import { DoorPhone, phoneSize } from './door-phone.js';

/** A venue, a browser with a camera that the test controls, and phones. */
export interface DoorPlace extends DoorVenue {
  readonly camera: FakeCamera;
  /** A new phone that was paired, at a gate of the event, with a live picture. All phones see the same camera. */
  phone(name: string, gate?: string | null, role?: DeviceRole): Promise<DoorPhone>;
  /** Another phone, not paired. */
  context(): Promise<BrowserContext>;
}

/** @param input of the event @param environment settings of the server */
export async function openDoorPlace(input: Partial<NewEvent> = {}, environment: Readonly<Record<string, string>> = {}): Promise<DoorPlace> {
  const folder = await mkdtemp(join(tmpdir(), 'guichet-door-'));
  const camera = await FakeCamera.open(folder);
  const [door, chromium] = await Promise.all([openDoorVenue(input, environment), openChromium(camera.flags)]);
  const context = (): Promise<BrowserContext> =>
    chromium.browser.newContext({ viewport: phoneSize, locale: 'en-GB', permissions: ['camera'], hasTouch: true, isMobile: true });
  return {
    ...door,
    camera,
    context,
    phone: async (name, gate = door.gates.main, role = 'scan') => {
      const phone = await DoorPhone.open(await context(), camera);
      await phone.pair(await door.pairingLink(name, role));
      await phone.choose(door.event.id, gate);
      await phone.network('live');
      return phone;
    },
    close: async () => {
      await chromium.close();
      await door.close();
      await camera.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
