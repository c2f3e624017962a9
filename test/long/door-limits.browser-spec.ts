import { randomUUID } from 'node:crypto';
import { MembershipsService } from '#memberships';
import { PricesService, ProductsService } from '#catalogue';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { newTeamCode } from '../support/team-codes.js';
import { until } from '../support/until.js';
import { DoorPhone } from '../browser/door-phone.js';
import { openDoorPlace, type DoorPlace } from '../browser/door-places.js';

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

it('a membership card is no red result: it says until when, and what to do', async () => {
  const phone = await door.phone('Door 3');
  const code = await door.test.inside(door.tenant, async () => {
    const { app } = door.test;
    const { id: productId } = await app.get(ProductsService).create({ name: 'Friends', category: 'A' });
    const { id: priceId } = await app.get(PricesService).create({ productId, name: 'Year', amount: '0', subscriptionType: 'Y' });
    const memberships = app.get(MembershipsService);
    return memberships.codeOf(await memberships.create({ priceId, email: 'ada@example.org', firstName: 'Ada', lastName: 'Martin' }));
  });
  expect(await phone.scan(code)).toMatchObject({ verdict: 'member', reason: 'membership' });
  const words = await phone.page.locator('section.result').innerText();
  for (const said of ['Member', 'Ada Martin', 'Membership until', 'ask for the code of the ticket']) expect(words).toContain(said);
  expect(await phone.page.locator('section.result [data-action="admit"]').count()).toBe(0);
  await phone.dismiss();
});

describe('a ticket that the list lacks', () => {
  let phone: DoorPhone;
  beforeAll(async () => {
    phone = await door.phone('Door 4');
  });
  afterEach(() => door.proxy.set('pass'));

  const cutOff = async (): Promise<void> => {
    door.proxy.set('refuse');
    await phone.network('offline');
  };

  it('is decided by the server as soon as there is a network, while its card is open', async () => {
    await cutOff();
    const late = await door.ticket();
    const seen = await phone.scan(late.code);
    expect(seen).toMatchObject({ verdict: 'ask', reason: 'not_in_list' });
    const card = await phone.page.locator('section.result').innerText();
    for (const words of ['Not in tonight’s list', 'or for another event', 'Read the date on the ticket']) expect(card).toContain(words);
    door.proxy.set('pass');
    expect(await phone.next(({ verdict }) => verdict === 'go')).toMatchObject({ decidedBy: 'server', corrected: true, scan: seen.scan });
    await until(
      () => door.movements(late),
      (moves) => moves.join() === 'accepted',
    );
    await phone.network('live', 0);
  });

  it('of another event stays valid there when a person let it in, and the phone says so', async () => {
    await cutOff();
    const elsewhere = await door.newEvent({ name: 'Bal folk', startsAt: new Date(Date.now() + 86_400_000) });
    const stranger = await door.ticket({ event: elsewhere });
    await phone.scan(stranger.code);
    await phone.press('admit');
    await phone.next(({ verdict }) => verdict === 'go');
    door.proxy.set('pass');
    expect(await phone.next(({ verdict }) => verdict === 'stop')).toMatchObject({ reason: 'wrong_event', corrected: true });
    expect(await phone.page.locator('section.result').innerText()).toContain('Bal folk');
    const sql = `select status from "${door.tenant.schemaName}".ticket where id = $1`;
    expect(await door.test.database.query(sql, [stranger.id])).toEqual([{ status: 'K' }]);
    await phone.dismiss();
    await phone.press('conflicts');
    await phone.page.locator('[data-kind="wrong_event"]', { hasText: 'Bal folk' }).waitFor();
    await phone.press('close-sheet');
    await phone.network('live', 0);
  });
});
