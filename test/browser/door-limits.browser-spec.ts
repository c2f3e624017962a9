import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newTeamCode } from '../support/team-codes.js';
import { DoorPhone } from './door-phone.js';
import { openDoorPlace, type DoorPlace } from './door-places.js';

let door: DoorPlace;

beforeAll(async () => {
  door = await openDoorPlace({}, { RATE_SEARCHES: '2/10min' });
});
afterAll(() => door?.close());

it('says when a device searched too often, and in how many seconds it may again', async () => {
  const phone = await door.phone('Door 2', door.gates.main, 'supervisor');
  await phone.press('search');
  await phone.page.locator('#words').fill('zephyrine');
  for (let time = 0; time < 2; time += 1) {
    const answered = phone.page.waitForResponse((response) => response.url().endsWith('/scan/search_ticket/'));
    await phone.press('submit-search');
    expect((await answered).status()).toBe(200);
  }
  await phone.press('submit-search');
  const note = phone.page.locator('[data-sheet="search"] [data-error="search.limited"]');
  await note.waitFor();
  expect(await note.innerText()).toMatch(/^Too many searches\. Try again in [1-9]\d* s\.$/);
  // Scans go on.
  await phone.press('close-sheet');
  expect((await phone.scan((await door.ticket()).code)).verdict).toBe('go');
  expect(phone.faults).toEqual([]);
});

it('says what to collect for an unpaid ticket, with and without a network', async () => {
  const unpaid = () => door.ticket({ status: 'N', reservationStatus: 'U', amount: '4.00' });
  const [online, offline] = [await unpaid(), await unpaid()];
  const phone = await door.phone('Door 1');
  const step = phone.page.locator('section.result .step');
  expect(await phone.scan(online.code)).toMatchObject({ verdict: 'stop', reason: 'not_paid', decidedBy: 'server' });
  expect(await step.innerText()).toContain('Collect €4 at the box office');
  await phone.dismiss();
  door.proxy.set('refuse');
  expect(await phone.scan(offline.code)).toMatchObject({ verdict: 'stop', reason: 'not_paid', decidedBy: 'list' });
  expect(await step.innerText()).toContain('Collect €4 at the box office');
  door.proxy.set('pass');
});

it('says that the opening hours of the phone ended', async () => {
  const hour = 3_600_000;
  const event = await door.newEvent({ startsAt: new Date(Date.now() - 2 * hour), endsAt: new Date(Date.now() + hour) });
  const { code } = await newTeamCode(door.test, door.tenant, { name: randomUUID(), eventId: event.id, closesMinutesAfter: 0 });
  const phone = await DoorPhone.open(await door.context(), door.camera);
  await phone.page.goto(`${door.origin}/door/#pair=${code}`);
  await phone.press('pair');
  await phone.screen('gate');
  await door.test.database.query(`update "${door.tenant.schemaName}".event set ends_at = now() - interval '5 minutes' where id = $1`, [
    event.id,
  ]);
  await phone.page.reload();
  await phone.screen('locked');
  await phone.page.getByText(/^Its opening hours ended: .*\d\d:\d\d\. The team can extend them/).waitFor();
});
