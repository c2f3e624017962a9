import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeviceCareService } from '#scan';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { BuiltTicket } from '../support/builders.js';
import { guest, openDoorVenue, type DoorVenue } from '../support/door/door-venue.js';
import { FakeCamera } from '../support/door/fake-camera.js';
import { until } from '../support/until.js';
import { DoorPhone } from '../browser/door-phone.js';
import { foldersHold, openProfile, type Profile } from '../browser/door-profile.js';

let folder: string;
let door: DoorVenue;
let camera: FakeCamera;
let profile: Profile;
let phone: DoorPhone;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guichet-phone-'));
  [door, camera] = await Promise.all([openDoorVenue(), FakeCamera.open(folder)]);
});
afterAll(async () => {
  await profile?.context.close().catch(() => undefined);
  await door?.close();
  await camera?.close();
  await rm(folder, { recursive: true, force: true });
});

const storage = (): string => join(folder, 'profile');

/** The phone is switched on. */
async function switchOn(): Promise<void> {
  profile = await openProfile(storage(), camera.flags);
  phone = await DoorPhone.open(profile.context, camera);
}

/** What the databases of the page contain, with everything decrypted that the keys in them open. */
const contents = `(async () => {
  const keys = [], values = [];
  for (const { name } of await indexedDB.databases()) {
    const db = await new Promise((ok) => { const asked = indexedDB.open(name); asked.onsuccess = () => ok(asked.result); });
    for (const store of db.objectStoreNames) values.push(...await new Promise((ok) => {
      const asked = db.transaction(store).objectStore(store).getAll(); asked.onsuccess = () => ok(asked.result); }));
    db.close();
  }
  for (const value of values) if (value instanceof CryptoKey) keys.push(value);
  const texts = [JSON.stringify(localStorage)];
  let opened = 0;
  for (const value of values) {
    texts.push(JSON.stringify(value) ?? '');
    if (value?.iv && value?.data) for (const key of keys) {
      const bytes = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: value.iv }, key, value.data).catch(() => null);
      if (bytes) { opened += 1; texts.push(new TextDecoder().decode(bytes)); }
    }
  }
  return { opened, text: texts.join('\\n') };
})()`;

const stored = (): Promise<{ opened: number; text: string }> => phone.page.evaluate(contents);

let spare: BuiltTicket;

it('loses nothing when the phone dies without a network, and yields no name of a guest', async () => {
  const [first, second, third, fourth] = (await Promise.all(Array.from({ length: 4 }, () => door.ticket()))) as [
    BuiltTicket,
    BuiltTicket,
    BuiltTicket,
    BuiltTicket,
  ];
  await switchOn();
  await phone.pair(await door.pairingLink());
  await phone.choose(door.event.id, door.gates.main);
  await phone.network('live', 0);
  // The server's answer names the guest on the screen.
  expect((await phone.show(first.code)).text).toContain(guest.firstName);
  await phone.inside(1);
  // The shell is on the phone.
  await until(
    () => phone.page.evaluate<boolean>('navigator.serviceWorker.ready.then(({ active }) => active?.state === "activated")'),
    (active) => active,
  );

  door.proxy.set('refuse');
  const offline = await phone.show(second.code);
  expect(offline).toMatchObject({ verdict: 'go', decidedBy: 'list' });
  expect(offline.text).toContain(guest.firstName);
  await profile.kill();

  await switchOn();
  await phone.page.goto(`${door.origin}/door/`);
  await phone.live();
  await phone.network('offline', 1);
  expect((await phone.show(second.code)).verdict).not.toBe('go');
  await phone.dismiss();
  expect(await phone.show(third.code)).toMatchObject({ verdict: 'go', decidedBy: 'list' });
  const held = await stored();
  expect(held.opened).toBeGreaterThan(2);
  for (const secret of Object.values(guest)) expect(held.text.toLowerCase()).not.toContain(secret.toLowerCase());
  await profile.kill();

  for (const secret of Object.values(guest)) expect(await foldersHold(storage(), secret)).toEqual([]);

  await switchOn();
  door.proxy.set('pass');
  await phone.page.goto(`${door.origin}/door/`);
  await phone.live();
  await phone.network('live', 0);
  // For the next test: a ticket in the list of the phone.
  spare = fourth;
  for (const ticket of [first, second, third]) expect(await door.movements(ticket)).toEqual(['accepted']);
  expect(await door.movements(fourth)).toEqual([]);
  expect(phone.faults).toEqual([]);
}, 120_000);

it('destroys its data when staff wipe it, and its unsent lines go to quarantine', async () => {
  const ticket = spare;
  const [device] = await door.test.database.query<{ id: string }>(
    `select id from "${door.tenant.schemaName}".scanning_device where name = 'Door 1'`,
  );
  door.proxy.set('refuse');
  expect(await phone.show(ticket.code)).toMatchObject({ verdict: 'go', decidedBy: 'list' });
  await phone.network('offline', 1);
  const [data, signature] = ticket.code.split(':') as [string, string];
  const { text } = await stored();
  expect([text.includes(data), text.includes(signature)]).toEqual([true, false]);
  await door.test.inside(door.tenant, () => door.test.app.get(DeviceCareService).wipe(device!.id));
  door.proxy.set('pass');
  const reconnected = Date.now();
  await phone.screen('wiped');
  // Five seconds after the contact, and as many for a slow machine and the pause before the next attempt.
  expect(Date.now() - reconnected).toBeLessThan(10_000);
  const lines = await until(
    () => door.test.database.query<{ line: string }>(`select line from "${door.tenant.schemaName}".quarantine_line`),
    (rows) => rows.length > 0,
  );
  expect(lines.map(({ line }) => line).join()).toContain(data);
  expect(await door.movements(ticket)).toEqual([]);
  const left = await until(stored, ({ text }) => !text.includes(data));
  for (const secret of [door.event.name, door.gates.main, 'gdev_']) expect(left.text).not.toContain(secret);
}, 90_000);
