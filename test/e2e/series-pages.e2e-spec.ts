import type { TenantIdentity } from '#tenancy';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { crowd, expectNoDrift, letHoldsLapse } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { CartForms } from '../support/cart-forms.js';
import { addToCart, completeCart, partsOfCart } from '../support/carts.js';
import { changeHold, hold } from '../support/drafts.js';
import { OrderForms } from '../support/order-forms.js';
import { refused, reservationsPath } from '../support/reservations-api.js';
import { newSeries, weekly, type TestSeries } from '../support/series.js';
import { outcome, tenantWork } from '../support/tenant-work.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';
import { randomUUID } from 'node:crypto';

let test: TestApp;
let tenant: TenantIdentity;
let forms: CartForms;

beforeAll(async () => {
  test = await startTestApp({ environment: { HELD_TICKETS_PER_NETWORK: '1000', RATE_PAGES: '100000/min' } });
});
afterAll(() => test.close());

const { sql } = tenantWork(() => ({ test, tenant }));
const get = async (path: string): Promise<string> => (await forms.get(path)).text;
const bookedOf = async ({ dates }: TestSeries): Promise<number[]> =>
  (await sql<{ booked: number }>('select booked from event where id = any($1) order by starts_at', [dates.map(({ id }) => id)])).map(
    ({ booked }) => booked,
  );
const fresh = async (): Promise<void> => {
  tenant = await test.newTenant({ language: 'en', timeZone: 'UTC' });
  forms = new CartForms(test, tenant);
};
const pathOf = ({ dates }: TestSeries, index = 0): string => `/event/${dates[index]?.slug}`;

describe('the pages of a series', () => {
  beforeAll(fresh);

  it('show the coming dates, the present one marked, those that are gone struck, and the pattern in words', async () => {
    const series = await newSeries(test, tenant, weekly(4));
    await sql('update event set booked = capacity where id = $1', [series.dates[1]?.id]);
    const page = await get(pathOf(series));
    expect(page).toContain('Every Sunday from 10:00 to 13:00, 6 January 2030 to 27 January 2030');
    expect(page).toContain('Choose a date');
    expect(page).toMatch(new RegExp(`<a class="day" href="${pathOf(series)}#tickets" aria-current="date">`));
    expect(page).toMatch(new RegExp(`<a class="day day-gone" href="${pathOf(series, 1)}#tickets">.*?<s>13</s>.*?Sold out`));
    for (const [language, words] of [
      ['de', 'Jeden Sonntag von 10:00 bis 13:00\u00a0Uhr, vom 6. Januar 2030 bis zum 27. Januar 2030'],
      ['fr', 'Chaque dimanche de '],
      ['es', 'del 6 de enero de 2030 al 27 de enero de 2030'],
    ]) {
      expect((await test.on(tenant).get(pathOf(series)).set('Accept-Language', String(language))).text).toContain(words);
    }
    const structured = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(page)?.[1] ?? '{}';
    expect(JSON.parse(structured).superEvent).toMatchObject({
      '@type': 'EventSeries',
      url: expect.stringContaining(`/series/${series.slug}`),
    });
    await sql('update event set booked = 0 where id = $1', [series.dates[1]?.id]);
  });

  it('offer no other date where the tickets of an order are changed', async () => {
    const series = await newSeries(test, tenant, weekly(3), { amount: '0.00' });
    const order = await new OrderForms(test, tenant).begin(series.dates[1]!.slug, series.priceId, '2');
    const page = await get(`${order}/tickets`);
    expect(page).toContain('value="2"');
    expect(page).toContain('>13<');
    expect(page).not.toContain('Choose a date');
    for (const index of [0, 2]) expect(page).not.toContain(pathOf(series, index));
  });

  it('name times on one day, number irregular dates, and fold a long series', async () => {
    const day = await newSeries(test, tenant, [
      { startsAt: new Date('2031-03-01T14:00:00Z') },
      { startsAt: new Date('2031-03-01T20:00:00Z') },
    ]);
    const times = await get(pathOf(day));
    for (const words of ['2 times on 1 March 2031', '14:00</span>', '20:00</span>']) expect(times).toContain(words);
    const irregular = await newSeries(
      test,
      tenant,
      ['2031-04-01', '2031-04-05', '2031-04-20'].map((date) => ({ startsAt: new Date(`${date}T20:00:00Z`) })),
    );
    expect(await get(pathOf(irregular))).toContain('3 dates from 1 April 2031 to 20 April 2031');
    const long = await newSeries(test, tenant, weekly(30, '2032-01-04T10:00:00Z'));
    const page = await get(pathOf(long, 20));
    expect(page).toContain('22 further dates');
    const [shown = ''] = page.split('<details');
    expect(shown.match(/class="day"/g)).toHaveLength(8);
    expect(shown).toContain('aria-current="date"');
  });

  it('have an address that leads to the next date that can be booked', async () => {
    const past = new Date(Date.now() - 7 * 86_400_000);
    const series = await newSeries(test, tenant, [{ startsAt: past, endsAt: new Date(past.getTime() + 3_600_000) }, ...weekly(2)]);
    const target = async (): Promise<string> => {
      const { status, headers } = await forms.get(`/series/${series.slug}`);
      return `${status} ${headers['location']}`;
    };
    expect(await target()).toBe(`302 ${pathOf(series, 1)}`);
    await sql('update event set capacity = 0 where id = $1', [series.dates[1]?.id]);
    expect(await target()).toBe(`302 ${pathOf(series, 2)}`);
    await sql('update event set capacity = 0 where id = $1', [series.dates[2]?.id]);
    expect(await target()).toBe(`302 ${pathOf(series, 1)}`);
    await sql('update event set is_private = true where id = any($1)', [series.dates.slice(1).map(({ id }) => id)]);
    expect(await target()).toBe(`302 ${pathOf(series)}`);
    await sql('update event set published = false where id = $1', [series.dates[0]?.id]);
    expect((await forms.get(`/series/${series.slug}`)).status).toBe(404);
    expect((await forms.get('/series/nothing')).status).toBe(404);
  });
});

describe('a series in the agenda', () => {
  beforeAll(fresh);

  it('is one entry with its next date in lists and cards, and each date elsewhere', async () => {
    const series = await newSeries(test, tenant, weekly(5));
    await newEvent(test, tenant, { name: 'Alone', startsAt: new Date('2030-01-08T20:00:00Z') });
    const links = async (path: string): Promise<number> => new Set((await get(path)).match(/\/event\/series-[\w-]+/g)).size;
    for (const path of ['/', '/?view=cards', '/?month=2030-01', '/?q=series']) expect([path, await links(path)]).toEqual([path, 1]);
    expect(await get('/?view=cards')).toContain('and 4 more dates until 3 February 2030');
    // Later pages do not repeat it.
    expect(await links('/?after=2030-01-07')).toBe(0);
    expect(await links('/?view=month&month=2030-01')).toBe(4);
    expect(await links('/?from=2030-01-20&to=2030-01-20')).toBe(1);
    expect((await test.on(tenant).get('/agenda.json')).body.results).toHaveLength(6);
    expect((await get('/agenda.ics')).match(/BEGIN:VEVENT/g)).toHaveLength(6);
    expect(await links('/sitemap.xml')).toBe(5);
    // A cancelled date does not stand for the others, and the cached answer notices it.
    const tag = (await forms.get('/')).headers['etag'];
    await sql(`update event set alteration = 'postponed' where id = $1`, [series.dates[0]?.id]);
    const next = await test.on(tenant).get('/').set('If-None-Match', String(tag));
    expect(next.status).toBe(200);
    expect(next.text).toContain(pathOf(series, 1));
    expect(next.text).toContain('and 3 more dates until 3 February 2030');
  });

  it('is named once among the other events on the page of an event', async () => {
    const alone = await newEvent(test, tenant, { name: 'Another', startsAt: new Date('2030-01-01T20:00:00Z') });
    const page = await get(`/event/${alone.slug}`);
    expect(page).toContain(`Also at ${tenant.name}`);
    expect(page.match(/<li class="entry"/g)).toHaveLength(2);
    expect(new Set(page.match(/\/event\/series-[\w-]+/g)).size).toBe(1);
  });
});

describe('a pass for all dates of a series', () => {
  beforeAll(async () => {
    await fresh();
    await sql('update configuration set pay_at_venue_hours = 1');
  });
  afterEach(() => expectNoDrift(test, tenant));

  const buy = ({ dates, passId }: TestSeries, quantity: string, cookie = '') =>
    forms.post(
      `/event/${dates[0]?.slug}/book`,
      [
        ['price', passId],
        ['quantity', quantity],
        ['amount', ''],
      ],
      cookie,
    );

  it('shows its sum, fills the cart with each date, and becomes reservations of their own', async () => {
    const series = await newSeries(test, tenant, weekly(4));
    const page = await get(pathOf(series));
    for (const words of ['€32', '€8 a date, valid on 4 dates', 'data-cents="3200"']) expect(page).toContain(words);
    expect(await get('/')).not.toContain('€8');
    const bought = await buy(series, '2');
    expect(bought.status).toBe(303);
    expect(await bookedOf(series)).toEqual([2, 2, 2, 2]);
    const path = String(bought.headers['location']);
    const cart = await get(path);
    expect(cart).toContain('€64');
    expect(cart).toContain('removing one date removes the pass');
    const [, part = ''] = /name="part" value="([^"]+)"/.exec(cart) ?? [];
    await forms.post(`${path}/remove`, [['part', part]]);
    expect(await bookedOf(series)).toEqual([0, 0, 0, 0]);
  });

  it('is given up for all dates when the choice for one is replaced, and keeps other tickets', async () => {
    const series = await newSeries(test, tenant, weekly(3), { amount: '0.00' });
    const cart = randomUUID();
    const date = (index: number) => ({ id: series.dates[index]?.id as string, priceId: series.priceId });
    await addToCart(test, tenant, cart, date(1), { quantity: 3 });
    const pass = { priceId: series.passId, quantity: 1 };
    await addToCart(test, tenant, cart, date(0), { lines: [pass, { priceId: series.priceId, quantity: 1 }] });
    expect(await bookedOf(series)).toEqual([2, 4, 1]);
    await addToCart(test, tenant, cart, date(2), { lines: [{ ...pass, quantity: 2 }] });
    expect(await bookedOf(series)).toEqual([3, 5, 2]);
    await addToCart(test, tenant, cart, date(2), { quantity: 1 });
    expect(await bookedOf(series)).toEqual([1, 3, 1]);
    const { parts } = await completeCart(test, tenant, cart);
    expect(parts.map(({ tickets }) => tickets.length).toSorted()).toEqual([1, 1, 3]);
  });

  it('is refused for one date to strangers, and sold by staff', async () => {
    const series = await newSeries(test, tenant, weekly(2), { amount: '0.00' });
    const one = { id: series.dates[0]?.id as string, priceId: series.passId };
    expect(await outcome(hold(test, tenant, one))).toMatchObject({ reason: 'whole_series' });
    const key = await newKey(test, tenant, 'reservation:write');
    const body = {
      reservationFor: { identifier: one.id },
      underName: { '@type': 'Person', email: 'ada@example.org', givenName: 'Ada', familyName: 'Martin' },
      reservedTicket: [{ identifier: one.priceId }],
    };
    await refused(test.on(tenant).post(reservationsPath).set('Authorization', key).send(body), 409, 'booking.whole_series');
    const cart = randomUUID();
    await addToCart(test, tenant, cart, one);
    const [part] = await partsOfCart(test, tenant, cart);
    expect(await outcome(changeHold(test, tenant, part!.id, { ...one, priceId: series.priceId }, {}))).toMatchObject({
      reason: 'whole_series',
    });
    const { parts } = await completeCart(test, tenant, cart);
    expect(parts).toHaveLength(2);
  });

  it('is refused when its dates have changed since, are too few or too many', async () => {
    const series = await newSeries(test, tenant, weekly(3), { amount: '0.00' });
    const one = { id: series.dates[0]?.id as string, priceId: series.passId };
    const cart = randomUUID();
    await addToCart(test, tenant, cart, one);
    await sql('update event set is_private = true where id = $1', [series.dates[2]?.id]);
    expect(await outcome(completeCart(test, tenant, cart))).toMatchObject({ reason: 'pass_changed' });
    await sql('update event set is_private = false where id = $1', [series.dates[2]?.id]);
    expect((await completeCart(test, tenant, cart)).parts).toHaveLength(3);
    for (const many of [await newSeries(test, tenant, weekly(1)), await newSeries(test, tenant, weekly(21))]) {
      expect(await get(pathOf(many))).not.toContain('valid on');
      const refused = await buy(many, '1');
      expect(refused.status).toBe(409);
      expect(await outcome(addToCart(test, tenant, randomUUID(), { id: many.dates[0]!.id, priceId: many.passId }))).toMatchObject({
        reason: 'pass_gone',
      });
    }
  });

  it('is held whole or not at all while others buy the last places of single dates', async () => {
    const inputs = weekly(4).map((times, index) => ({ ...times, capacity: index === 2 ? 3 : 20 }));
    const series = await newSeries(test, tenant, inputs, { amount: '0.00' });
    const carts = Array.from({ length: 8 }, () => randomUUID());
    const last = { id: series.dates[2]?.id as string, priceId: series.priceId };
    const passes = crowd(carts.length, async (index) => {
      const date = { id: series.dates[index % 4]?.id as string, priceId: series.passId };
      return outcome(addToCart(test, tenant, carts[index] as string, date));
    });
    const singles = crowd(4, () => outcome(hold(test, tenant, last)));
    const outcomes = await Promise.all(passes);
    const taken = (await Promise.all(singles)).filter((one) => typeof one === 'string').length;
    const sold = outcomes.filter((one) => one === true).length;
    expect(outcomes.filter((one) => one !== true)).toEqual(
      Array.from({ length: carts.length - sold }, () => expect.objectContaining({ reason: 'sold_out' })),
    );
    expect(await bookedOf(series)).toEqual([sold, sold, sold + taken, sold]);
    expect(sold + taken).toBe(3);
    for (const [index, cart] of carts.entries()) {
      expect(await partsOfCart(test, tenant, cart)).toHaveLength(outcomes[index] === true ? 4 : 0);
    }
  });

  it('is sold once when it is the last one, and leaves nothing half done to the others, also after its hold has ended', async () => {
    for (let round = 0; round < 4; round += 1) {
      const inputs = weekly(3).map((times, index) => ({ ...times, capacity: index === round % 3 ? 1 : 20 }));
      const series = await newSeries(test, tenant, inputs, { amount: '0.00' });
      const carts = Array.from({ length: 6 }, () => randomUUID());
      const take = (index: number): Promise<unknown> =>
        outcome(addToCart(test, tenant, carts[index] as string, { id: series.dates[index % 3]!.id, priceId: series.passId }));
      const first = await Promise.all(crowd(carts.length, take));
      expect(first.filter((one) => one === true)).toHaveLength(1);
      const held = carts[first.indexOf(true)] as string;
      await letHoldsLapse(test, tenant);
      // The form of the first buyer and the choices of the others arrive at once.
      const [own, ...others] = await Promise.all([
        outcome(completeCart(test, tenant, held)),
        ...crowd(carts.length, (index) => (carts[index] === held ? Promise.resolve(undefined) : take(index))),
      ]);
      const bought = own instanceof Error ? [] : [held];
      const taken = carts.filter((_, index) => others[index] === true);
      expect([...bought, ...taken]).toHaveLength(1);
      expect((await bookedOf(series))[round % 3]).toBe(1);
      const parts = await Promise.all(carts.map((cart) => partsOfCart(test, tenant, cart)));
      expect(parts.map(({ length }) => length)).toEqual(carts.map((cart) => (cart === held || taken.includes(cart) ? 3 : 0)));
      const orders = await sql<{ id: string }>('select id from orders where id = any($1)', [carts]);
      expect(orders.map(({ id }) => id).toSorted()).toEqual([...new Set([held, ...taken])].toSorted());
    }
  });

  it('is cancelled date by date like other reservations', async () => {
    const series = await newSeries(test, tenant, weekly(2), { amount: '0.00' });
    const cart = randomUUID();
    await addToCart(test, tenant, cart, { id: series.dates[0]!.id, priceId: series.passId });
    const { parts } = await completeCart(test, tenant, cart);
    const { ReservationChangesService } = await import('#tickets');
    await test.inside(tenant, () => test.app.get(ReservationChangesService).cancel(parts[0]!.id, { reason: 'holder' }));
    expect((await bookedOf(series)).toSorted()).toEqual([0, 1]);
  });
});
